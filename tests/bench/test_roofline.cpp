#include <gtest/gtest.h>

#include "src/bench/rule_figures.hpp"
#include "src/bench/workload.hpp"

namespace atl {
namespace {

Workload small_size() {
  Workload size;
  size.rows = 3200;
  size.rules = 200;
  return size;
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

cuda::DeviceRates endless() {
  cuda::DeviceRates rates;
  rates.logic = rates.popcounts = rates.shared = rates.l2 = rates.memory = 1e30;
  rates.l2_bytes = 1e9;
  return rates;
}

// a0 > 127: seven ones below the only plane that matters; a1 = 5: eight planes.
std::vector<Rule> two_comparisons() {
  return {{Expression::of({0, 128, 255, false}), Expression::of({1, 5, 5, false})}};
}

TEST(DeviceBound, IsTheLongestOfWhatAWordTakes) {
  const Dataset data = workload_data(small_size());
  const auto rules = two_comparisons();
  const auto bound = [&](const cuda::DeviceRates& rates) {
    return device_bound(rules, data.attributes(), 3200, rates);
  };
  // Two planes an operation: one step for a0, four for a1, one for both sides.
  cuda::DeviceRates rates = endless();
  rates.logic = 10;
  EXPECT_DOUBLE_EQ(bound(rates).raw, 6.0 * 32 / (1 + 4 + 1) * 10);
  EXPECT_EQ(bound(rates).limit, "logic");
  EXPECT_DOUBLE_EQ(bound(rates).plane_an_operation, 6.0 * 32 / 16 * 10);

  rates = endless();
  rates.popcounts = 10;
  EXPECT_DOUBLE_EQ(bound(rates).raw, 6.0 * 32 / 3 * 10);
  EXPECT_DOUBLE_EQ(bound(rates).with_supports, 6.0 * 32 / 5 * 10);
  EXPECT_EQ(bound(rates).limit, "popcounts");

  rates = endless();
  rates.shared = 16;  // two comparisons, four bytes read and four written for each
  EXPECT_DOUBLE_EQ(bound(rates).raw, 6.0 * 32);
  EXPECT_EQ(bound(rates).limit, "shared memory");

  rates = endless();
  rates.l2 = 2 * 8 * 4;  // a word of each plane of both attributes
  EXPECT_DOUBLE_EQ(bound(rates).raw, 6.0 * 32);
  EXPECT_EQ(bound(rates).limit, "memory");
  rates.l2_bytes = 6399;  // 16 planes of 3200 rows are more
  EXPECT_GT(bound(rates).raw, 1e20);
  rates.memory = 2 * 8 * 4;
  EXPECT_DOUBLE_EQ(bound(rates).raw, 6.0 * 32);
}

TEST(DeviceBound, ComparesDistinctComparisonsOnceIfTheyAreShared) {
  const Dataset data = workload_data(small_size());
  auto rules = two_comparisons();
  rules.push_back(rules.front());
  cuda::DeviceRates rates = endless();
  rates.logic = 10;
  const DeviceBound bound = device_bound(rules, data.attributes(), 3200, rates);
  EXPECT_DOUBLE_EQ(bound.raw, 12.0 * 32 / (6 + 6) * 10);
  EXPECT_DOUBLE_EQ(bound.effective, 12.0 * 32 / (6 + 2 + 1) * 10);
}

// The figure that is known of an H200: 15 x 8 planes and 13 connectives a rule, 64 operations a
// cycle of each of 132 processors at 1.98 GHz.
TEST(DeviceBound, OnePlaneAnOperationIsTheBoundThatIsKnown) {
  const Workload size = small_size();
  const Dataset data = workload_data(size);
  cuda::DeviceRates rates = endless();
  rates.logic = 132 * 64 * 1.98e9;
  const DeviceBound bound =
      device_bound(workload_rules(data.attributes(), size), data.attributes(), data.rows(), rates);
  EXPECT_DOUBLE_EQ(bound.plane_an_operation, 58.0 * 32 * rates.logic / (15 * 8 + 13));
  EXPECT_NEAR(bound.plane_an_operation, 233e12, 1e12);
  // Two planes an operation, and none for those below a bound's lowest zero.
  EXPECT_GT(bound.raw, 1.8 * bound.plane_an_operation);
  EXPECT_LT(bound.raw, 2.5 * bound.plane_an_operation);
}

}  // namespace
}  // namespace atl
