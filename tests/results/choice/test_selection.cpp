#include <memory>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "src/eval/device.hpp"
#include "src/results/choice/selection.hpp"
#include "tests/islands/planted_table.hpp"

namespace atl::test {

TEST(SelectUnlike, LeavesOutWhatCoversNearlyTheRowsOfABetterOne) {
  const Dataset dataset = planted_table(2000);
  RuleShapes shapes(dataset);
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
    for (const RuleRecord& r :
         select_unlike(records, {}, shapes, {.most_similar = most_similar, .top = top})) {
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
  RuleShapes shapes(dataset);
  const auto chosen = [&](const Comparison& yes, const Comparison& no, double most_similar) {
    std::vector<RuleRecord> records(3);
    records[0].rule = {Expression::of({0, 0, 19}), Expression::of(yes)};
    records[1].rule = {Expression::of({0, 21, 39}), Expression::of(no)};
    records[2].rule = {Expression::of({0, 21, 39}), Expression::of(yes)};
    return select_unlike(records, {}, shapes, {.most_similar = most_similar}).size();
  };
  EXPECT_EQ(chosen({1, 0, 20}, {1, 21, 39}, 0.7), 2U);
  EXPECT_EQ(chosen({1, 0, 20}, {1, 21, 39}, 1), 3U);
  EXPECT_EQ(chosen({5, 1, 1}, {5, 1, 1, true}, 0.7), 3U);
}

namespace {

class SelectionTest : public testing::Test {
 protected:
  // x0 and x1 go together, x2 with neither.
  SelectionTest() {
    std::vector<std::vector<std::uint32_t>> columns(3, std::vector<std::uint32_t>(4000));
    for (std::uint32_t row = 0; row < 4000; ++row) {
      columns[0][row] = row % 40;
      columns[1][row] = row % 40;
      columns[2][row] = row / 40 % 40;
    }
    dataset_ = std::make_unique<Dataset>(numeric_table({"x0", "x1", "x2"}, columns));
    shapes_ = std::make_unique<RuleShapes>(*dataset_);
  }

  RuleRecord record(const Comparison& antecedent, const Comparison& consequent) const {
    RuleRecord made;
    made.rule = {Expression::of(antecedent), Expression::of(consequent)};
    const auto resident = make_reference_device()->load(*dataset_);
    made.table = resident->count(std::vector{made.rule}, {})[0].table;
    return made;
  }

  std::vector<RuleRecord> selected(const std::vector<RuleRecord>& records,
                                   const SelectionLimits& limits = {.most_similar = 0.5},
                                   const std::set<Rule>& first = {}) const {
    return select_unlike(records, first, *shapes_, limits);
  }

  std::unique_ptr<Dataset> dataset_;
  std::unique_ptr<RuleShapes> shapes_;
};

}  // namespace

TEST_F(SelectionTest, ARuleStandsForItsReversal) {
  const auto rules = selected({record({0, 0, 9}, {1, 0, 9}), record({1, 0, 9}, {0, 0, 9})});
  ASSERT_EQ(rules.size(), 1U);
  EXPECT_TRUE(rules[0].reversed);
  const auto alone = selected({record({0, 0, 9}, {1, 0, 9})});
  EXPECT_FALSE(alone.at(0).reversed);
}

TEST_F(SelectionTest, OfConsequentsThatImplyEachOtherOneStays) {
  EXPECT_EQ(selected({record({0, 0, 9}, {1, 0, 9}), record({0, 0, 9}, {1, 0, 30})}).size(), 1U);
  EXPECT_EQ(selected({record({0, 0, 9}, {1, 0, 9}), record({0, 0, 9}, {2, 0, 30})}).size(), 2U);
}

TEST_F(SelectionTest, WindowsOnOneCorrelationShareNoHalfOfTheirRows) {
  const auto window = [&](std::uint32_t low) {
    return record({0, low, low + 9}, {1, low, low + 9});
  };
  // Similar by (6 / 14)^2, but 6 of 10 rows are shared; then 4 of 10, and none.
  EXPECT_EQ(selected({window(1), window(5)}).size(), 1U);
  EXPECT_EQ(selected({window(1), window(7)}).size(), 2U);
  EXPECT_EQ(selected({window(1), window(20)}).size(), 2U);
}

TEST_F(SelectionTest, ThoseOfTheFirstStayHoweverAlike) {
  const std::vector<RuleRecord> records = {
      record({0, 0, 9}, {2, 0, 19}), record({0, 0, 8}, {2, 0, 19}), record({0, 0, 7}, {2, 0, 19})};
  const auto rules = selected(records, {.most_similar = 0.5}, {records[1].rule, records[2].rule});
  ASSERT_EQ(rules.size(), 2U);
  EXPECT_EQ(rules[0].rule, records[1].rule);
  EXPECT_EQ(rules[1].rule, records[2].rule);
}

// That x0 and x1 are low together, and high together, the rarer of greater lift.
TEST_F(SelectionTest, TheMirrorOfOneThatStaysIsRefusedWhateverItsLift) {
  const auto often = record({0, 0, 24}, {1, 0, 24});
  const auto rarely = record({0, 26, 39}, {1, 26, 39});
  Selection selection(*shapes_, 0.5);
  EXPECT_TRUE(selection.offer(often));
  EXPECT_TRUE(selection.offer(rarely));
  ASSERT_EQ(selection.records().size(), 1U);
  EXPECT_EQ(selection.records()[0].rule, rarely.rule);
  Selection with_best(*shapes_, 0.5);
  with_best.put(often);
  EXPECT_FALSE(with_best.offer(rarely));
  ASSERT_EQ(with_best.records().size(), 1U);
  EXPECT_EQ(with_best.records()[0].rule, often.rule);
}

TEST_F(SelectionTest, CopiesCountAsOneAttribute) {
  const auto one = record({0, 0, 19}, {1, 0, 19});
  DependencesFound found;
  found.copies = {{0, 1}};
  RuleShapes shapes(*dataset_, Dependences(found, 3));
  EXPECT_EQ(shapes.of(one.rule).attributes[1], (std::set<std::uint32_t>{0}));
  EXPECT_EQ(shapes_->of(one.rule).attributes[1], (std::set<std::uint32_t>{1}));
}

TEST_F(SelectionTest, NoConsequentTakesTheRoomOfOthers) {
  const std::vector<RuleRecord> records = {
      record({0, 0, 9}, {2, 0, 19}), record({0, 10, 19}, {2, 0, 19}),
      record({0, 20, 29}, {2, 0, 19}), record({0, 0, 9}, {2, 20, 29})};
  const auto rules = selected(records, {.most_similar = 0.5, .top = 3, .each = 2});
  ASSERT_EQ(rules.size(), 3U);
  EXPECT_EQ(rules[2].rule, records[3].rule);
  // What a consequent cannot fill goes to the others.
  EXPECT_EQ(selected(records, {.most_similar = 0.5, .top = 4, .each = 2}).size(), 4U);
}

}  // namespace atl::test
