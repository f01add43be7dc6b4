#include <gtest/gtest.h>

#include "src/app/bench/rates.hpp"
#include "src/app/bench/workload.hpp"

namespace atl {
namespace {

WorkloadSize small_size() {
  WorkloadSize size;
  size.rows = 3000;
  size.rules = 40;
  return size;
}

std::vector<RuleCounts> counts_of(Evaluator& evaluator, std::span<const Rule> rules,
                                  const EvaluateOptions& options) {
  std::vector<RuleCounts> counts(rules.size());
  evaluator.wait(evaluator.submit(rules, options), counts);
  return counts;
}

TEST(Workload, IsCountedAsTheReferenceCounts) {
  for (const std::uint32_t planes : {1U, 3U, 8U, 10U}) {
    WorkloadSize size = small_size();
    size.planes = planes;
    const Dataset data = workload_data(size);
    const auto rules = workload_rules(data.attributes(), size.rules, size.comparisons);
    const auto reference = make_reference_evaluator(data);
    ThreadPool pool(2);
    const auto cpu = make_cpu_evaluator(data, pool);
    for (const bool share : {false, true}) {
      for (const bool supports : {false, true}) {
        EvaluateOptions options;
        options.share_comparisons = share;
        options.comparison_supports = supports;
        EXPECT_EQ(counts_of(*cpu, rules, options), counts_of(*reference, rules, options));
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
  const auto rules = workload_rules(data.attributes(), 2, 15);
  EXPECT_EQ(rules[0].antecedent.comparisons()[0], (Comparison{11, 45, 255, false}));
  EXPECT_EQ(rules[1].consequent.comparisons()[4], (Comparison{4, 68, 255, false}));
}

TEST(Workload, RulesAreOneSidedComparisonsOfDifferentAttributes) {
  const Dataset data = workload_data(small_size());
  for (const Rule& rule : workload_rules(data.attributes(), 40, 15)) {
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

TEST(CoreBound, CountsTheStepsOfBitPlanes) {
  const Dataset data = workload_data(small_size());
  CoreRates rates;
  rates.logic = 10;
  rates.loads = rates.popcounts = 1e9;
  // a0 > 127: seven ones below the only plane; a1 = 5: eight planes; one more for both sides.
  const std::vector<Rule> rules = {
      {Expression::of({0, 128, 255, false}), Expression::of({1, 5, 5, false})}};
  EXPECT_DOUBLE_EQ(core_bound(rules, data.attributes(), rates), 6.0 * 64 / (1 + 8 + 1) * 10);
  rates.planes_per_step = 3;  // a0: none below the two planes that are left; a1: 3 + 3 + 2 planes
  EXPECT_DOUBLE_EQ(core_bound(rules, data.attributes(), rates), 6.0 * 64 / (1 + 3 + 1) * 10);
  rates.popcounts = 3;
  EXPECT_DOUBLE_EQ(core_bound(rules, data.attributes(), rates), 6.0 * 64);
  rates.loads = 1;
  EXPECT_DOUBLE_EQ(core_bound(rules, data.attributes(), rates), 6.0 * 64 / 2);
}

TEST(CoreRates, AreThoseOfSomeInstructionSet) {
  const CoreRates rates = measure_core_rates();
  EXPECT_FALSE(rates.instruction_set.empty());
  for (const double rate : {rates.logic, rates.loads, rates.popcounts}) EXPECT_GT(rate, 1e6);
}

TEST(Stopwatch, RunsAtLeastFiveTimesAfterAWarmUp) {
  unsigned runs = 0;
  const Timing timing = time_repeatedly([&] { ++runs; }, 0);
  EXPECT_EQ(runs, 6U);
  EXPECT_EQ(timing.runs, 5U);
  EXPECT_LE(timing.best, timing.median);
}

}  // namespace
}  // namespace atl
