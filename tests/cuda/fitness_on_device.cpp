// The device's measures have the bits of the host's.
#include <bit>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "cuda/count/fitness.hpp"
#include "src/core/error.hpp"
#include "src/measures/measures.hpp"
#include "tests/cuda/device.hpp"
#include "tests/measures/measure_tables.hpp"

namespace atl::test {
namespace {

class Fitness : public testing::Test {
 protected:
  void SetUp() override {
    on_device([] {
      return cuda::fitness(std::vector{Measure::support}, std::vector<ContingencyTable>(1));
    });
  }
};

std::vector<Measure> steering() {
  std::vector<Measure> chosen;
  for (const MeasureInfo& measure : measures()) {
    if (measure.steers) chosen.push_back(measure.measure);
  }
  return chosen;
}

void expect_equal_bits(const std::vector<Measure>& chosen,
                       const std::vector<ContingencyTable>& tables) {
  const std::vector<double> values = cuda::fitness(chosen, tables);
  ASSERT_EQ(values.size(), chosen.size() * tables.size());
  for (std::size_t m = 0; m < chosen.size(); ++m) {
    for (std::size_t t = 0; t < tables.size(); ++t) {
      const double expected = evaluate(chosen[m], tables[t]);
      const double value = values[m * tables.size() + t];
      if (std::isnan(expected) && std::isnan(value)) continue;
      const ContingencyTable& table = tables[t];
      ASSERT_EQ(std::bit_cast<std::uint64_t>(value), std::bit_cast<std::uint64_t>(expected))
          << info(chosen[m]).name << " of " << table.n << ' ' << table.n_antecedent << ' '
          << table.n_consequent << ' ' << table.n_both << ' ' << table.n_general_antecedent << ' '
          << table.n_general_both << ": " << value << ", not " << expected;
    }
  }
}

TEST_F(Fitness, OfExtremeTablesIsTheHostsToTheBit) {
  expect_equal_bits(steering(), extreme_tables());
}

TEST_F(Fitness, OfRandomTablesIsTheHostsToTheBit) {
  for (const std::uint32_t count : {1U, 127U, 128U, 129U, 100000U}) {
    expect_equal_bits(steering(), random_tables(count, count));
  }
}

TEST_F(Fitness, MeasuresComeInTheOrderGiven) {
  expect_equal_bits({Measure::lift, Measure::support, Measure::z_score, Measure::lift},
                    random_tables(7, 100));
}

TEST_F(Fitness, OfNothingIsNothing) {
  EXPECT_TRUE(cuda::fitness({}, random_tables(1, 3)).empty());
  EXPECT_TRUE(cuda::fitness(steering(), {}).empty());
}

}  // namespace
}  // namespace atl::test
