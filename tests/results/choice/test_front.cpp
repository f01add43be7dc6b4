#include <algorithm>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "src/measures/measures.hpp"
#include "src/results/choice/front.hpp"
#include "src/rules/rule_text.hpp"
#include "tests/islands/planted_table.hpp"

namespace atl::test {
namespace {

class FrontTest : public testing::Test {
 protected:
  // Of the rows on which c5 = l1.
  FrontTask task() const {
    FrontTask made;
    made.without = {5};
    made.meets = [](std::size_t, std::size_t) { return true; };
    for (std::uint32_t row = 0; row < sample_.rows(); ++row) made.rows.push_back(row);
    for (const RowSample::Level level : sample_.levels(5)) made.gains.push_back(level == 1 ? 1 : 0);
    made.sizes = {100, 200, 600, 1500, 3000};
    return made;
  }

  std::vector<Expression> rules(const FrontTask& task, unsigned threads = 1) const {
    ThreadPool pool(threads);
    return certain_rules(sample_, grammar_, task, limits_, pool);
  }

  FrontSum sum_of(const Expression& side, const FrontTask& task) const {
    FrontSum sum;
    for (const std::uint32_t row : task.rows) {
      const auto comparisons = side.comparisons();
      const bool holds = std::all_of(comparisons.begin(), comparisons.end(), [&](auto& c) {
        return takes(c, sample_.levels(c.attribute)[row]);
      });
      if (!holds) continue;
      ++sum.rows;
      sum.gain += task.gains[row];
      sum.square += task.gains[row] * task.gains[row];
    }
    return sum;
  }

  Dataset dataset_ = planted_table(6000);
  BoundGrammar grammar_ = association_grammar(dataset_);
  RowSample sample_{dataset_, 100'000};
  FrontLimits limits_{.comparisons = 3, .width = 10, .each = 3, .looks = 1 << 28};
};

}  // namespace

TEST(FrontSizes, AreRoundAndHaveFiftyRows) {
  const std::vector<double> sizes = front_sizes(10'000);
  EXPECT_DOUBLE_EQ(sizes.front(), 0.005);
  EXPECT_DOUBLE_EQ(sizes.back(), 0.5);
  for (const double share : {0.01, 0.02, 0.05, 0.1, 0.2}) {
    EXPECT_TRUE(std::any_of(sizes.begin(), sizes.end(), [&](double size) {
      return std::abs(size - share) < 1e-12;
    })) << share;
  }
  EXPECT_TRUE(front_sizes(80).empty() || front_sizes(80).front() * 80 >= 50);
}

TEST(Certainty, IsThatOfTheMeasures) {
  EXPECT_DOUBLE_EQ(certainty({120, 90, 90}, false),
                   evaluate(Measure::confidence_low, {1000, 120, 300, 90}));
  EXPECT_EQ(certainty({12, 0, 0}, false), 0);
  // Four values of mean 5 and standard deviation 2.
  EXPECT_NEAR(certainty({4, 20, 116}, true), 5 - 1.959963984540054, 1e-12);
}

TEST_F(FrontTest, ThePlantedRuleIsTheMostCertainOfItsSize) {
  const FrontTask asked = task();
  std::map<std::uint32_t, double> best;
  for (const Expression& rule : rules(asked)) {
    const FrontSum sum = sum_of(rule, asked);
    for (const std::uint32_t size : asked.sizes) {
      if (sum.rows >= size) best[size] = std::max(best[size], certainty(sum, false));
    }
  }
  // Its 240 rows or so have l1 with a probability of 0.92, others of 0.2.
  EXPECT_GT(best[100], 0.85);
  EXPECT_GT(best[200], 0.8);
  for (std::size_t s = 1; s < asked.sizes.size(); ++s) {
    EXPECT_GT(best[asked.sizes[s]], 0.2) << asked.sizes[s];
    EXPECT_LE(best[asked.sizes[s]], best[asked.sizes[s - 1]]);
  }
}

TEST_F(FrontTest, RulesAreWithinTheLimits) {
  const FrontTask asked = task();
  const auto found = rules(asked);
  ASSERT_FALSE(found.empty());
  EXPECT_LE(found.size(), limits_.each * asked.sizes.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(std::count(found.begin(), found.end(), found[i]), 1);
    EXPECT_LE(found[i].comparisons().size(), limits_.comparisons);
    EXPECT_GE(sum_of(found[i], asked).rows, asked.sizes[0]);
    for (const Comparison& c : found[i].comparisons()) EXPECT_NE(c.attribute, 5U);
  }
}

TEST_F(FrontTest, WhatDoesNotMeetIsLeftOutAndChanceAddsNoPart) {
  FrontTask none = task();
  none.meets = [](std::size_t, std::size_t) { return false; };
  EXPECT_TRUE(rules(none).empty());
  // Where nothing tells of the label, few of the comparisons gain two standard errors.
  FrontTask noise = task();
  noise.without = {4, 5};
  for (const Expression& rule : rules(noise)) {
    const FrontSum sum = sum_of(rule, noise);
    EXPECT_LT(certainty(sum, false), 0.45) << to_text(rule, dataset_.attributes());
  }
}

TEST_F(FrontTest, FewLooksMakeTheBeamNarrowAndThreadsChangeNothing) {
  EXPECT_EQ(rules(task(), 3), rules(task()));
  limits_.looks = 1000;
  EXPECT_FALSE(rules(task()).empty());
}

}  // namespace atl::test
