#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "src/rules/comparison.hpp"
#include "tests/rules/table.hpp"

namespace atl::test {
namespace {

constexpr Relation relations[] = {Relation::less,    Relation::less_equal,
                                  Relation::greater, Relation::greater_equal,
                                  Relation::equal,   Relation::not_equal};

bool compare(std::uint32_t value, Relation relation, std::uint32_t code) {
  switch (relation) {
    case Relation::less:
      return value < code;
    case Relation::less_equal:
      return value <= code;
    case Relation::greater:
      return value > code;
    case Relation::greater_equal:
      return value >= code;
    case Relation::equal:
      return value == code;
    case Relation::not_equal:
      return value != code;
  }
  return false;
}

TEST(Comparison, EveryRelationMeansWhatItSaysOnEveryCode) {
  for (std::uint32_t distinct = 1; distinct <= 5; ++distinct)
    for (std::uint32_t code = 0; code < distinct; ++code)
      for (const Relation relation : relations) {
        const auto made = make_comparison(0, relation, code, distinct);
        bool any = false;
        for (std::uint32_t value = 0; value < distinct; ++value) {
          const bool expected = compare(value, relation, code);
          any = any || expected;
          if (made.satisfiable) {
            EXPECT_EQ(holds(made.comparison, std::vector{value}), expected);
          }
        }
        EXPECT_EQ(made.satisfiable, any) << distinct << ' ' << code;
      }
}

TEST(Comparison, CanonicalFormHoldsOnTheSameCodesAndIsOneFormForThem) {
  constexpr std::uint32_t distinct = 5;
  for (std::uint32_t low = 0; low < distinct; ++low)
    for (std::uint32_t high = low; high < distinct; ++high)
      for (const bool negated : {false, true}) {
        const Comparison before{0, low, high, negated};
        const Comparison after = canonical(before, distinct);
        for (std::uint32_t value = 0; value < distinct; ++value)
          EXPECT_EQ(holds(after, std::vector{value}), holds(before, std::vector{value}));
        EXPECT_FALSE(holds(after, std::vector{missing_value}));
        EXPECT_EQ(canonical(after, distinct), after);
      }
  EXPECT_EQ(canonical({7, 0, 2, true}, 5), (Comparison{7, 3, 4, false}));
  EXPECT_EQ(canonical({7, 2, 4, true}, 5), (Comparison{7, 0, 1, false}));
  EXPECT_EQ(canonical({7, 1, 3, true}, 5), (Comparison{7, 1, 3, true}));
  EXPECT_EQ(canonical({7, 0, 4, true}, 5), (Comparison{7, 0, 4, true}));
}

}  // namespace
}  // namespace atl::test
