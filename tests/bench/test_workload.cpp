#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "src/bench/workload.hpp"
#include "src/eval/device.hpp"

namespace atl {
namespace {

Workload small_size() {
  Workload size;
  size.rows = 3000;
  size.rules = 40;
  return size;
}

std::vector<Comparison> comparisons_of(const Rule& rule) {
  std::vector<Comparison> all;
  for (const Expression* side : {&rule.antecedent, &rule.consequent}) {
    for (const Comparison& comparison : side->comparisons()) all.push_back(comparison);
  }
  return all;
}

std::size_t number_of(const Expression& expression, Op op) {
  const auto program = expression.program();
  return static_cast<std::size_t>(std::count(program.begin(), program.end(), op));
}

TEST(Workload, IsCountedAsTheReferenceCounts) {
  for (const RuleShape shape : {RuleShape::one_sided, RuleShape::intervals, RuleShape::deep}) {
    for (const std::uint32_t planes : {1U, 8U, 10U}) {
      Workload size = small_size();
      size.planes = planes;
      size.shape = shape;
      size.shared = 0.4;
      const Dataset data = workload_data(size);
      const auto rules = workload_rules(data.attributes(), size);
      const auto reference = make_reference_device()->load(data);
      ThreadPool pool(2);
      const auto cpu = make_cpu_device(pool)->load(data);
      for (const bool share : {false, true}) {
        CountingOptions options;
        options.share_comparisons = share;
        options.comparison_supports = true;
        EXPECT_EQ(cpu->count(rules, options), reference->count(rules, options));
      }
    }
  }
}

// Published figures depend on what is drawn.
TEST(Workload, IsTheSameOnEveryMachine) {
  const Dataset data = workload_data(small_size());
  EXPECT_EQ(data.rows(), 3000U);
  ASSERT_EQ(data.attributes().size(), 16U);
  EXPECT_EQ(data.attributes()[15].planes(), 8U);
  EXPECT_EQ(data.plane(0, 0, 0)[0], 17481310802677555158U);
  EXPECT_EQ(data.plane(0, 15, 7)[46], 37214424657910864U);
  const auto rules = workload_rules(data.attributes(), small_size());
  EXPECT_EQ(rules[0].antecedent.comparisons()[0], (Comparison{11, 45, 255, false}));
  EXPECT_EQ(rules[1].consequent.comparisons()[4], (Comparison{4, 68, 255, false}));
}

TEST(Workload, RulesAreOneSidedComparisonsOfDifferentAttributes) {
  const Dataset data = workload_data(small_size());
  for (const Rule& rule : workload_rules(data.attributes(), small_size())) {
    EXPECT_EQ(rule.antecedent.comparisons().size(), 10U);
    EXPECT_EQ(rule.consequent.comparisons().size(), 5U);
    std::vector<bool> seen(16, false);
    for (const Expression* side : {&rule.antecedent, &rule.consequent}) {
      for (const Comparison& comparison : side->comparisons()) {
        EXPECT_FALSE(seen[comparison.attribute]);
        seen[comparison.attribute] = true;
        EXPECT_NE(comparison.low == 0, comparison.high == 255);
        EXPECT_FALSE(comparison.negated);
      }
    }
  }
  EXPECT_EQ(symbols_of(15), 58U);
}

TEST(Workload, IntervalsHaveTwoSides) {
  Workload size = small_size();
  size.shape = RuleShape::intervals;
  const Dataset data = workload_data(size);
  std::uint32_t lowest = 255, highest = 0;
  for (const Rule& rule : workload_rules(data.attributes(), size)) {
    for (const Comparison& comparison : comparisons_of(rule)) {
      EXPECT_LE(comparison.low, comparison.high);
      lowest = std::min(lowest, comparison.low);
      highest = std::max(highest, comparison.high);
    }
  }
  EXPECT_EQ(lowest, 1U);
  EXPECT_EQ(highest, 254U);
  size.planes = 1;  // too few codes for two sides
  const Dataset bits = workload_data(size);
  for (const Rule& rule : workload_rules(bits.attributes(), size)) {
    for (const Comparison& comparison : comparisons_of(rule)) {
      EXPECT_EQ(comparison.low, comparison.high);
    }
  }
}

TEST(Workload, DeepRulesCompareAsTheFlatOnesAndMixConnectives) {
  Workload size = small_size();
  const Dataset data = workload_data(size);
  const auto flat = workload_rules(data.attributes(), size);
  size.shape = RuleShape::deep;
  const auto deep = workload_rules(data.attributes(), size);
  std::size_t conjunctions = 0, disjunctions = 0, negations = 0;
  for (std::size_t r = 0; r < deep.size(); ++r) {
    EXPECT_EQ(comparisons_of(deep[r]), comparisons_of(flat[r]));
    EXPECT_EQ(deep[r].antecedent.comparisons().size(), 10U);
    for (const Expression* side : {&deep[r].antecedent, &deep[r].consequent}) {
      conjunctions += number_of(*side, Op::conjunction);
      disjunctions += number_of(*side, Op::disjunction);
      negations += number_of(*side, Op::negation);
    }
  }
  EXPECT_EQ(conjunctions + disjunctions, 40U * 13);
  EXPECT_GT(disjunctions, 100U);
  EXPECT_GT(conjunctions, 100U);
  EXPECT_GT(negations, 40U);
}

TEST(Workload, HalfSharedMeansThatTwoRulesHaveEachComparison) {
  Workload size = small_size();
  size.attributes = 40;
  size.shared = 0.5;
  const Dataset data = workload_data(size);
  const auto rules = workload_rules(data.attributes(), size);
  std::size_t repeated = 0;
  for (std::size_t r = 1; r < rules.size(); ++r) {
    const auto before = comparisons_of(rules[r - 1]);
    std::set<std::uint32_t> attributes;
    for (const Comparison& comparison : comparisons_of(rules[r])) {
      attributes.insert(comparison.attribute);
      repeated += static_cast<std::size_t>(std::count(before.begin(), before.end(), comparison));
    }
    EXPECT_EQ(attributes.size(), 15U);
  }
  // 8 and 7 in turn; one of chance now and then.
  EXPECT_NEAR(static_cast<double>(repeated), 39 * 7.5, 4);
}

}  // namespace
}  // namespace atl
