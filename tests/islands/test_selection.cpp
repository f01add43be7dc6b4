#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "islands/selection.hpp"
#include "tests/islands/planted_table.hpp"

namespace atl::test {

TEST(SelectUnlike, LeavesOutWhatCoversNearlyTheRowsOfABetterOne) {
  const Dataset dataset = planted_table(2000);
  const CoverageSample sample(dataset);
  const Expression consequent = Expression::of({5, 1, 1, false});
  const auto record = [&](const Comparison& antecedent) {
    RuleRecord made;
    made.rule = {Expression::of(antecedent), consequent};
    return made;
  };
  // Of 40 codes 20, 19 of them, 10 of them; and another attribute.
  const std::vector<RuleRecord> records = {record({0, 0, 19, false}), record({0, 0, 18, false}),
                                           record({0, 0, 9, false}), record({1, 0, 19, false})};
  const auto first_codes = [&](double most_similar, std::size_t top) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> codes;
    for (const RuleRecord& r : select_unlike(records, {}, dataset.attributes(), sample,
                                             {.most_similar = most_similar, .top = top})) {
      const Comparison& c = r.rule.antecedent.comparisons()[0];
      codes.emplace_back(c.attribute, c.high);
    }
    return codes;
  };
  using Codes = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  EXPECT_EQ(first_codes(1, 9), (Codes{{0, 19}, {0, 18}, {0, 9}, {1, 19}}));
  EXPECT_EQ(first_codes(1, 2), (Codes{{0, 19}, {0, 18}}));
  EXPECT_EQ(first_codes(0.7, 9), (Codes{{0, 19}, {0, 9}, {1, 19}}));
  EXPECT_EQ(first_codes(0.7, 2), (Codes{{0, 19}, {0, 9}}));
  EXPECT_EQ(first_codes(0.4, 9), (Codes{{0, 19}, {1, 19}}));
}

// That x1 is low where x0 is, and high where x0 is. Of labels both are written.
TEST(SelectUnlike, LeavesOutTheMirrorOfABetterOneOfBounds) {
  const Dataset dataset = planted_table(2000);
  const CoverageSample sample(dataset);
  const auto chosen = [&](const Comparison& yes, const Comparison& no, double most_similar) {
    std::vector<RuleRecord> records(3);
    records[0].rule = {Expression::of({0, 0, 19}), Expression::of(yes)};
    records[1].rule = {Expression::of({0, 21, 39}), Expression::of(no)};
    records[2].rule = {Expression::of({0, 21, 39}), Expression::of(yes)};
    return select_unlike(records, {}, dataset.attributes(), sample, {.most_similar = most_similar})
        .size();
  };
  EXPECT_EQ(chosen({1, 0, 20}, {1, 21, 39}, 0.7), 2U);
  EXPECT_EQ(chosen({1, 0, 20}, {1, 21, 39}, 1), 3U);
  EXPECT_EQ(chosen({5, 1, 1}, {5, 1, 1, true}, 0.7), 3U);
}

}  // namespace atl::test
