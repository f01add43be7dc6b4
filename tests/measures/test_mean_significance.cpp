#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "src/core/portable_math.hpp"
#include "src/measures/measures.hpp"
#include "src/measures/significance.hpp"
#include "src/rules/generalisation.hpp"

namespace atl::test {
namespace {

ContingencyTable about_mean(std::uint64_t rows, std::uint64_t of, double mean, double mean_all,
                            double deviation_all, double deviation) {
  ContingencyTable table{of, rows, of, rows};
  table.target = {TargetMoments::Side::high, mean, 0, mean_all, deviation_all, deviation};
  return table;
}

TEST(NormalTail, AgreesWithTheErrorFunction) {
  // log(erfc(z / sqrt(2)) / 2)
  constexpr double figures[][2] = {{-9, -1.1285884059538405e-19}, {-1, -0.1727537790234499},
                                   {0, -0.6931471805599453},      {0.5, -1.1759117615936186},
                                   {1.999, -3.780811560999765},   {2, -3.7831843336820317},
                                   {5, -15.064998393988727},      {40, -804.6084420137538}};
  for (const auto& [z, log_p] : figures)
    EXPECT_NEAR(log_normal_tail(z), log_p, 1e-12 * std::max(1.0, std::abs(log_p))) << z;
}

TEST(MeanTest, IsThatOfRowsDrawnWithoutReplacement) {
  const ContingencyTable table = about_mean(100, 1000, 12, 10, 5, 4);
  const double z = 2 / (5 * std::sqrt(900.0 / (100 * 999)));
  EXPECT_DOUBLE_EQ(evaluate(Measure::z_score, table), z);
  EXPECT_EQ(log_mean_p(table), log_normal_tail(evaluate(Measure::z_score, table)));
  EXPECT_EQ(log_mean_p(about_mean(1000, 1000, 10, 10, 5, 5)), 0) << "all rows";
  EXPECT_EQ(log_mean_p(about_mean(0, 1000, 0, 10, 5, 0)), 0) << "no row";
  EXPECT_EQ(log_mean_p(about_mean(10, 1000, 10, 10, 0, 0)), 0) << "one value";
}

TEST(MeanTest, AGeneralisationIsBeatenAmongItsRowsAlone) {
  const ContingencyTable special = about_mean(50, 1000, 13, 10, 5, 4);
  const ContingencyTable general = about_mean(200, 1000, 12, 10, 5, 3);
  const double z = 1 / (3 * std::sqrt(150.0 / (50 * 199)));
  EXPECT_NEAR(log_productive_mean_p(special, general), log_normal_tail(z), 1e-12);
  EXPECT_EQ(log_productive_p(special, general), log_productive_mean_p(special, general));
  EXPECT_EQ(log_productive_mean_p(general, general), 0);
}

TEST(MeanTest, TellsAChange) {
  const ContingencyTable before = about_mean(101, 1000, 12, 10, 5, 4);
  const ContingencyTable after = about_mean(26, 500, 14, 10, 5, 3);
  const double z = 2 / std::sqrt(16.0 / 100 + 9.0 / 25);
  EXPECT_NEAR(mean_change_p(before, after), 2 * std::exp(log_normal_tail(z)), 1e-14);
  EXPECT_EQ(mean_change_p(before, after), mean_change_p(after, before));
  EXPECT_EQ(mean_change_p(before, before), 1);
  EXPECT_EQ(mean_change_p(before, about_mean(1, 500, 99, 10, 5, 0)), 1) << "one row";
}

TEST(MeanTest, TellsAChangeOfValuesWhoseSquaresAreNoNumbers) {
  for (const double unit : {1e160, 1e-170}) {
    const ContingencyTable before = about_mean(101, 1000, 12 * unit, 10 * unit, 5 * unit, 4 * unit);
    const ContingencyTable after = about_mean(26, 500, 14 * unit, 10 * unit, 5 * unit, 3 * unit);
    const double z = 2 / std::sqrt(16.0 / 100 + 9.0 / 25);
    EXPECT_NEAR(mean_change_p(before, after), 2 * std::exp(log_normal_tail(z)), 1e-12) << unit;
  }
}

}  // namespace
}  // namespace atl::test
