#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/exhaustive/rules/row_sets.hpp"
#include "src/exhaustive/rules/rule_classes.hpp"
#include "src/rules/rule_text.hpp"
#include "tests/exhaustive/rules/small_table.hpp"

namespace atl::test {

namespace {

CountedRule counted_on(const Items& items, const std::vector<Item>& antecedent, Item consequent) {
  CountedRule result;
  AlignedWords rows(items.words());
  std::copy_n(items.covered(antecedent[0]), items.words(), rows.data());
  for (const Item item : antecedent) {
    result.rule.items[result.rule.size++] = item;
    result.n_antecedent = static_cast<std::uint32_t>(
        intersect(rows.data(), items.covered(item), items.words(), rows.data()));
  }
  result.rule.consequent = consequent;
  result.n_both = static_cast<std::uint32_t>(
      count_common(rows.data(), items.covered(consequent), items.words()));
  result.coverage = hash_rows(rows.data(), items.words());
  return result;
}

// a0 and a2 are alike but for one row; a1 splits them; a3 is a0.
class RuleClassesOfATable : public testing::Test {
 protected:
  CountedRule counted(const std::vector<Item>& antecedent, Item consequent) const {
    return counted_on(items_, antecedent, consequent);
  }
  static std::vector<std::string> best(const RuleClasses& classes, const Dataset& dataset) {
    std::vector<std::string> lines;
    for (const RuleRecord& record : classes.best()) {
      lines.push_back(to_text(record.rule, dataset.attributes()));
    }
    return lines;
  }
  std::vector<std::string> best() const { return best(classes_, dataset_); }

  // Items 0 and 1 are a0's labels, 2 and 3 a1's, 4 and 5 a2's, 6 and 7 a3's.
  const Dataset dataset_ = table_of_labels({{0, 0, 0, 0, 1, 1, 1, 1},
                                            {0, 0, 1, 1, 0, 0, 1, 1},
                                            {0, 0, 0, 1, 1, 1, 1, 1},
                                            {0, 0, 0, 0, 1, 1, 1, 1}});
  const Items items_{dataset_};
  RuleClasses classes_{items_, 9};
};

}  // namespace

TEST_F(RuleClassesOfATable, EqualCoverageCountsOnceUnderTheFirst) {
  classes_.add({counted({6}, 4), counted({0}, 4)});
  EXPECT_EQ(best(), std::vector<std::string>{"a0 = l0 => a2 = l0"});
}

TEST_F(RuleClassesOfATable, DirectionsCountOnce) {
  classes_.add({counted({4}, 0), counted({0}, 4)});
  EXPECT_EQ(best(), std::vector<std::string>{"a0 = l0 => a2 = l0"});
}

TEST_F(RuleClassesOfATable, ALongerRuleThatIsNoBetterIsDropped) {
  classes_.add({counted({0}, 5), counted({4}, 0)});
  classes_.add({counted({2, 4}, 0)});  // of confidence 1 as well, and less leverage
  EXPECT_EQ(best(), (std::vector<std::string>{"a2 = l0 => a0 = l0"}));
}

TEST_F(RuleClassesOfATable, ALongerRuleOfHigherConfidenceStays) {
  classes_.add({counted({0}, 4)});
  classes_.add({counted({0, 2}, 4)});
  EXPECT_EQ(best(),
            (std::vector<std::string>{"a0 = l0 => a2 = l0", "a0 = l0 AND a1 = l0 => a2 = l0"}));
}

TEST_F(RuleClassesOfATable, ThresholdIsTheLeverageOfTheLast) {
  RuleClasses two(items_, 2);
  two.add({counted({0}, 4)});
  EXPECT_EQ(two.threshold(), 1);
  two.add({counted({0, 2}, 4)});
  EXPECT_EQ(two.threshold(), 2 * 8 - 2 * 3);
}

TEST_F(RuleClassesOfATable, AllThatAreAsGoodAsTheLastAreAmongTheBest) {
  RuleClasses one(items_, 1);
  one.add({counted({0}, 4), counted({1}, 5)});  // 12 / 64 both
  EXPECT_EQ(one.threshold(), 3 * 8 - 4 * 3);
  EXPECT_EQ(one.best().size(), 2U);
}

TEST_F(RuleClassesOfATable, WhatIsNotAmongTheBestIsForgotten) {
  RuleClasses one(items_, 1);
  one.add({counted({2}, 4), counted({4}, 2)});
  EXPECT_EQ(one.standing().size(), 2U);  // of equal leverage
  one.add({counted({0, 2}, 4)});
  EXPECT_EQ(best(one, dataset_), std::vector<std::string>{"a0 = l0 AND a1 = l0 => a2 = l0"});
  ASSERT_EQ(one.standing().size(), 1U);
  RuleClasses next(items_, 1);
  next.add({counted({0}, 4)});
  next.take_up(one.standing());
  EXPECT_EQ(best(next, dataset_), best(one, dataset_));
}

TEST(RuleClasses, IntervalsThatAreWideForNothingOrNoBetterAreDropped) {
  const Dataset dataset =
      make_dataset({ordinal("size", {"s", "m", "l"}), nominal("fits", {"no", "yes"})},
                   {{0, 0, 1, 1, 2, 2}, {1, 1, 0, 0, 0, 0}});
  const Items items(dataset, OrderedItems::intervals);
  constexpr Item s = 0, s_or_m = 1, m_or_l = 3, l = 4, no = 5, yes = 6;
  RuleClasses classes(items, 9);
  classes.add({counted_on(items, {s}, yes), counted_on(items, {s_or_m}, yes),
               counted_on(items, {l}, no), counted_on(items, {m_or_l}, no)});
  const std::vector<RuleRecord> best = classes.best();
  ASSERT_EQ(best.size(), 2U);
  EXPECT_EQ(best[0].rule.antecedent, Expression::of(items.comparison(s)));
  EXPECT_EQ(best[1].rule.antecedent, Expression::of(items.comparison(m_or_l)));
}

}  // namespace atl::test
