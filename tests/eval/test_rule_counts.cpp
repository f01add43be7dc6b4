#include <cmath>

#include <gtest/gtest.h>

#include "src/eval/rule_counter.hpp"

namespace atl::test {
namespace {

TEST(RuleCounts, AddUpNumberByNumber) {
  RuleCounts one{.n = 10, .antecedent = 5, .consequent = 6, .both = 3, .missing_consequent = 1};
  one.sum = 7;
  one.set_squares((LevelSums::Wide{1} << 70) + 5);
  one.comparison_supports = {4, 9};
  one.coverage_hash = {~std::uint64_t{0}, 2};
  RuleCounts sum = one;
  sum += one;
  EXPECT_EQ(sum.n, 20U);
  EXPECT_EQ(sum.antecedent, 10U);
  EXPECT_EQ(sum.consequent, 12U);
  EXPECT_EQ(sum.both, 6U);
  EXPECT_EQ(sum.missing_consequent, 2U);
  EXPECT_EQ(sum.sum, 14U);
  EXPECT_EQ(sum.squares_low, 10U);
  EXPECT_EQ(sum.squares_high, std::uint64_t{1} << 39);
  EXPECT_EQ(sum.comparison_supports, (std::vector<std::uint64_t>{8, 18}));
  EXPECT_EQ(sum.coverage_hash, (std::array<std::uint64_t, 2>{~std::uint64_t{0} - 1, 4}));
}

TEST(RuleCounts, AreTheStatisticsWithoutATarget) {
  RuleCounts counts{.n = 10, .antecedent = 5, .consequent = 6, .both = 3, .missing_consequent = 1};
  counts.comparison_supports = {4, 9};
  counts.coverage_hash = {1, 2};
  const RuleStatistics statistics = statistics_of(counts, {}, nullptr);
  EXPECT_EQ(statistics.table, (ContingencyTable{10, 5, 6, 3}));
  EXPECT_EQ(statistics.missing_consequent, 1U);
  EXPECT_EQ(statistics.comparison_supports, counts.comparison_supports);
  EXPECT_EQ(statistics.coverage_hash, counts.coverage_hash);
}

}  // namespace
}  // namespace atl::test
