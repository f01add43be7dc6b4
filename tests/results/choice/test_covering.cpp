#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "src/results/choice/aimed_rules.hpp"
#include "src/results/choice/covering.hpp"
#include "src/rules/rule_text.hpp"
#include "tests/islands/planted_table.hpp"
#include "tests/results/choice/wide_table.hpp"

namespace atl::test {

namespace {

class CoveringTest : public testing::Test {
 protected:
  // Of the rows on which c5 = l1.
  CoveringTask task() const {
    CoveringTask made;
    made.without = {5};
    made.meets = [](std::size_t, std::size_t both) { return both > 20; };
    const auto levels = sample_.levels(5);
    const auto wanted = static_cast<std::int32_t>(std::count(levels.begin(), levels.end(), 1));
    for (const RowSample::Level level : levels) {
      made.gains.push_back((level == 1 ? static_cast<std::int32_t>(levels.size()) : 0) - wanted);
    }
    return made;
  }

  std::vector<Expression> covered(const CoveringTask& task, const CoveringLimits& limits,
                                  unsigned threads = 1) const {
    ThreadPool pool(threads);
    return cover(sample_, grammar_, task, limits, pool);
  }

  std::string text(const Expression& side) const { return to_text(side, dataset_.attributes()); }

  Dataset dataset_ = planted_table(6000, true);
  BoundGrammar grammar_ = association_grammar(dataset_);
  RowSample sample_{dataset_, 100'000};
  CoveringLimits limits_{
      .rules = 6, .comparisons = 3, .first_width = 8, .width = 4, .kept = 5, .looks = 1 << 30};
};

}  // namespace

TEST_F(CoveringTest, TheFirstRuleIsThePlantedOne) {
  limits_.comparisons = 2;
  const auto rules = covered(task(), limits_);
  ASSERT_FALSE(rules.empty());
  // Gain is of all rows, so that codes beside the planted ones may be taken in by chance.
  const auto parts = rules[0].comparisons();
  ASSERT_EQ(parts.size(), 2U) << text(rules[0]);
  EXPECT_EQ(parts[0].attribute, 0U);
  EXPECT_LE(parts[0].low, 12U);
  EXPECT_GE(parts[0].high, 19U);
  EXPECT_LE(parts[0].high - parts[0].low, 14U);
  EXPECT_EQ(parts[1], (Comparison{4, 2, 2, false}));
}

TEST_F(CoveringTest, EachRuleIsTakenOnceWithinTheLimits) {
  const auto rules = covered(task(), limits_);
  ASSERT_EQ(rules.size(), limits_.rules);
  for (std::size_t i = 0; i < rules.size(); ++i) {
    EXPECT_EQ(std::count(rules.begin(), rules.end(), rules[i]), 1) << text(rules[i]);
    EXPECT_LE(rules[i].comparisons().size(), limits_.comparisons);
    for (const Comparison& c : rules[i].comparisons()) EXPECT_NE(c.attribute, 5U);
  }
}

TEST_F(CoveringTest, NoAttributeThatIsLeftOutIsNamed) {
  CoveringTask without = task();
  without.without = {0, 5};
  for (const Expression& rule : covered(without, limits_)) {
    for (const Comparison& c : rule.comparisons()) EXPECT_NE(c.attribute, 0U) << text(rule);
  }
}

TEST_F(CoveringTest, WhatDoesNotMeetIsNotTaken) {
  CoveringTask none = task();
  none.meets = [](std::size_t, std::size_t) { return false; };
  EXPECT_TRUE(covered(none, limits_).empty());
}

TEST_F(CoveringTest, NoRuleIsBegunBeyondTheLooks) {
  limits_.looks = 1;
  EXPECT_EQ(covered(task(), limits_).size(), 1U);
}

TEST_F(CoveringTest, ThreadsChangeNothing) {
  EXPECT_EQ(covered(task(), limits_, 3), covered(task(), limits_));
}

// Attributes of which nothing can be wanted are not looked at further.
TEST_F(CoveringTest, ANarrowBeamFindsTheBestPartOfManyAttributes) {
  const Dataset data = wide_table(300, 500);
  const BoundGrammar grammar = association_grammar(data);
  const RowSample sample(data, 1000);
  CoveringTask task;
  task.without = {0};
  task.meets = [](std::size_t, std::size_t) { return true; };
  for (const RowSample::Level level : sample.levels(0)) task.gains.push_back(level == 1 ? 1 : -1);
  const auto rules_of = [&](std::size_t comparisons, std::size_t width, unsigned threads) {
    ThreadPool pool(threads);
    return cover(sample, grammar, task,
                 {.rules = 4,
                  .comparisons = comparisons,
                  .first_width = width,
                  .width = width,
                  .kept = 5,
                  .looks = 1 << 30},
                 pool);
  };
  EXPECT_EQ(rules_of(1, 1, 1), rules_of(1, 2000, 1));
  EXPECT_EQ(rules_of(3, 4, 1), rules_of(3, 4, 3));
}

TEST_F(CoveringTest, OnlyRunsWithATargetAreCovered) {
  const auto resident = make_reference_device()->load(dataset_);
  ThreadPool pool(1);
  Experiment experiment = small_experiment("niching");
  std::vector<RuleRecord> found(1);
  found[0].rule = parse_rule("x1 > 30 => c5 = l1", dataset_.attributes(), "test");
  const auto covering = [&] {
    return aimed_rules(found, experiment, grammar_, *resident, pool).covering;
  };
  EXPECT_TRUE(covering().empty());
  experiment.aim.target = {"c5 = l1"};
  const auto rules = covering();
  ASSERT_FALSE(rules.empty());
  for (const RuleRecord& record : rules) {
    EXPECT_EQ(record.rule.consequent, found[0].rule.consequent);
    EXPECT_GT(record.table.n_both, 0U);
  }
  // Labels that nothing was found of are covered, too.
  experiment.aim.target = {"c5=*"};
  const auto all = covering();
  EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const RuleRecord& record) {
    return record.rule.consequent != found[0].rule.consequent;
  }));
}

}  // namespace atl::test
