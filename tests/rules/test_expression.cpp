#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "src/rules/expression.hpp"
#include "src/rules/rule_text.hpp"
#include "tests/rules/table.hpp"
#include "tests/support/random.hpp"

namespace atl::test {
namespace {

constexpr Op comparison = Op::comparison, conjunction = Op::conjunction,
             disjunction = Op::disjunction, negation = Op::negation;

const std::vector<Attribute> table = {
    numeric("x", {1, 2, 3, 4, 5, 6, 7, 8, 9}), nominal("c", {"blue", "green", "red", "white"}),
    with_missing(numeric("m", {1, 2, 3, 4})), nominal("sex", {"female", "male"})};

std::string canonical_text(const char* text) {
  return to_text(parse_expression(text, table, "test"), table);
}

TEST(Expression, RefusesProgramsThatAreNotOneValue) {
  const Comparison c{0, 0, 0, false};
  EXPECT_THROW(Expression({}, {}), std::invalid_argument);
  EXPECT_THROW(Expression({comparison}, {}), std::invalid_argument);
  EXPECT_THROW(Expression({comparison}, {c, c}), std::invalid_argument);
  EXPECT_THROW(Expression({comparison, comparison}, {c, c}), std::invalid_argument);
  EXPECT_THROW(Expression({comparison, conjunction}, {c}), std::invalid_argument);
  EXPECT_THROW(Expression({negation, comparison}, {c}), std::invalid_argument);
  EXPECT_THROW(Expression({comparison, static_cast<Op>(4)}, {c}), std::invalid_argument);
}

TEST(Expression, KnowsItsDepthAndWhetherItIsAConjunction) {
  const Comparison c{0, 0, 0, false};
  const std::vector<Comparison> four(4, c);
  EXPECT_EQ(Expression::of(c).depth(), 1U);
  EXPECT_EQ(Expression::conjunction(four).depth(), 2U);
  EXPECT_TRUE(Expression::conjunction(four).is_conjunction());
  const Expression right({comparison, comparison, comparison, disjunction, conjunction}, {c, c, c});
  EXPECT_EQ(right.depth(), 3U);
  EXPECT_FALSE(right.is_conjunction());
  EXPECT_FALSE(Expression({comparison, negation}, {c}).is_conjunction());
}

TEST(Expression, HasAlternativesIfItJoinsConjunctions) {
  const auto texts = [](const char* text) {
    std::vector<std::string> all;
    const Expression expression = parse_expression(text, table, "test");
    for (const auto its : alternatives(expression)) {
      all.push_back(to_text(Expression::conjunction(its), table));
    }
    return all;
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(texts("x > 3"), (Texts{"x > 3"}));
  EXPECT_EQ(texts("x > 3 AND c = red"), (Texts{"x > 3 AND c = red"}));
  EXPECT_EQ(texts("(c = red AND x > 3) OR x <= 1 OR (sex = male AND x = 2)"),
            (Texts{"x = 1", "x = 2 AND sex = male", "x > 3 AND c = red"}));
  EXPECT_EQ(texts("x > 3 AND (c = red OR sex = male)"), Texts{});
  EXPECT_EQ(texts("NOT m > 3"), Texts{});  // also where it is missing
  const Expression none{};
  ASSERT_EQ(alternatives(none).size(), 1U);
  EXPECT_TRUE(alternatives(none).front().empty());
}

TEST(Expression, JoinsByOr) {
  const Expression a = parse_expression("x > 3 AND c = red", table, "test");
  const Expression b = parse_expression("sex = male", table, "test");
  EXPECT_EQ(to_text(either(a, b), table), "x > 3 AND c = red OR sex = male");
}

TEST(Expression, CanonicalFormByHand) {
  EXPECT_EQ(canonical_text("c = red AND x > 3"), "x > 3 AND c = red");
  EXPECT_EQ(canonical_text("x > 3 AND x <= 7"), "x in [4, 7]");
  EXPECT_EQ(canonical_text("x > 3 AND (x <= 7 AND (x > 4 AND c = red))"),
            "x in [5, 7] AND c = red");
  EXPECT_EQ(canonical_text("x > 7 AND (x <= 3 AND x <= 2)"), "x <= 2 AND x <= 3 AND x > 7");
  EXPECT_EQ(canonical_text("x > 7 AND x <= 3"), "x <= 3 AND x > 7");  // nothing would be left
  EXPECT_EQ(canonical_text("x > 3 OR x > 3"), "x > 3");
  EXPECT_EQ(canonical_text("NOT NOT x > 3"), "x > 3");
  EXPECT_EQ(canonical_text("NOT (x > 3 AND c = red)"), "x <= 3 OR c != red");
  EXPECT_EQ(canonical_text("NOT (x > 3 OR NOT c = red)"), "x <= 3 AND c = red");
  EXPECT_EQ(canonical_text("NOT sex = male"), "sex = female");
  EXPECT_EQ(canonical_text("NOT (m = 2 AND x = 1)"), "x > 1 OR NOT (m = 2)");
  EXPECT_EQ(canonical_text("NOT NOT m = 2"), "m = 2");
  EXPECT_EQ(canonical_text("m != 2 AND NOT m = 2"), "NOT (m = 2) AND m != 2");
  EXPECT_EQ(canonical_text("(x = 1 OR c = red) AND (c = red OR x = 1)"), "x = 1 OR c = red");
  EXPECT_EQ(canonical_text("x = 2 AND (c = red OR (c = blue OR x = 1))"),
            "x = 2 AND (x = 1 OR c = blue OR c = red)");
}

TEST(Expression, LabelsAreIntersectedOnlyIfTextCanSaySo) {
  EXPECT_EQ(canonical_text("c != blue AND c = red"), "c = red");
  EXPECT_EQ(canonical_text("c != blue AND c != white"), "c != white AND c != blue");
}

Expression side(std::uint64_t seed, const std::vector<Attribute>& attributes) {
  RandomStream stream({seed, 0, 0, 0, Purpose::test});
  return random_rule(stream, attributes, 12).antecedent;
}

TEST(Expression, CanonicalFormHoldsOnTheSameRowsAndIsAFixedPoint) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    constexpr std::uint64_t rows = 300;
    const RandomTable random = random_table(seed, rows, 5, true);
    const Expression before = side(seed, random.attributes);
    const Expression after = canonical(before, random.attributes);
    for (std::uint64_t r = 0; r < rows; ++r) {
      std::vector<std::uint32_t> row;
      for (const auto& column : random.columns) row.push_back(column[r]);
      RC_ASSERT(holds(before, row) == holds(after, row));
    }
    RC_ASSERT(canonical(after, random.attributes) == after);
    RC_ASSERT(after.comparisons().size() <= before.comparisons().size());
  }));
}

TEST(Expression, OperandsMayComeInAnyOrder) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    const RandomTable random = random_table(seed, 10, 4, true);
    const Expression a = side(seed, random.attributes);
    const Expression b = side(seed + 1, random.attributes);
    for (const Op op : {conjunction, disjunction}) {
      const auto join = [op](const Expression& first, const Expression& second) {
        std::vector<Op> program(first.program().begin(), first.program().end());
        program.insert(program.end(), second.program().begin(), second.program().end());
        program.push_back(op);
        auto comparisons = std::vector(first.comparisons().begin(), first.comparisons().end());
        comparisons.insert(comparisons.end(), second.comparisons().begin(),
                           second.comparisons().end());
        return Expression(program, comparisons);
      };
      RC_ASSERT(canonical(join(a, b), random.attributes) ==
                canonical(join(b, a), random.attributes));
      RC_ASSERT(canonical(join(a, a), random.attributes) == canonical(a, random.attributes));
    }
  }));
}

TEST(Expression, OrderIsTotalAndAgreesWithEquality) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    const RandomTable random = random_table(seed, 10, 2, false);
    std::vector<Expression> all;
    for (std::uint64_t i = 0; i < 12; ++i) all.push_back(side(seed + i % 9, random.attributes));
    for (const Expression& a : all)
      for (const Expression& b : all) {
        const bool less = a < b;
        const bool greater = a > b;
        RC_ASSERT((a == b) == (!less && !greater));
        RC_ASSERT(less == (b > a));
        if (a.comparisons().size() < b.comparisons().size()) RC_ASSERT(less);
      }
    std::sort(all.begin(), all.end());
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t j = i; j < all.size(); ++j) RC_ASSERT(!(all[j] < all[i]));
  }));
}

}  // namespace
}  // namespace atl::test
