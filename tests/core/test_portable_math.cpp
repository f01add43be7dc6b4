#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

#include "src/core/portable_math.hpp"
#include "src/core/random.hpp"

namespace atl {
namespace {

/// Doubles between two finite numbers of one sign.
std::int64_t ulps(double a, double b) {
  return std::abs(std::bit_cast<std::int64_t>(a) - std::bit_cast<std::int64_t>(b));
}

TEST(PortableMath, LogIsWithinThreeUlpOfLibm) {
  RandomStream stream({.seed = 1});
  std::int64_t worst = 0;
  for (int i = 0; i < 200'000; ++i) {
    const double near_one = 0.5 + stream.next_double() * 1.5;
    const double scaled = std::ldexp(near_one, static_cast<int>(stream.below(2000)) - 1000);
    worst = std::max({worst, ulps(portable_log(near_one), std::log(near_one)),
                      ulps(portable_log(scaled), std::log(scaled))});
  }
  EXPECT_LE(worst, 3);
  EXPECT_EQ(portable_log(1), 0);
}

TEST(PortableMath, ExpIsWithinTwoUlpOfLibm) {
  RandomStream stream({.seed = 2});
  std::int64_t worst = 0;
  for (int i = 0; i < 200'000; ++i) {
    const double x = (stream.next_double() * 2 - 1) * (i % 2 == 0 ? 1 : 708);
    worst = std::max(worst, ulps(portable_exp(x), std::exp(x)));
  }
  EXPECT_LE(worst, 2);
  EXPECT_EQ(portable_exp(0), 1);
  EXPECT_EQ(portable_exp(-1e9), 0);
  EXPECT_EQ(portable_exp(1e9), std::numeric_limits<double>::infinity());
}

TEST(PortableMath, NormalQuantileInvertsTheDistribution) {
  // 0.5 erfc(-z / sqrt 2) amplifies the error of z by z^2, hence the tolerance.
  for (const double p : {1e-300, 1e-20, 1e-9, 0.001, 0.02425, 0.075, 0.3, 0.5, 0.6, 0.925, 0.999}) {
    const double z = normal_quantile(p);
    EXPECT_NEAR(0.5 * std::erfc(-z / std::sqrt(2.0)) / p, 1, 4e-15 * (1 + z * z)) << p;
  }
  EXPECT_EQ(normal_quantile(0.5), 0);
  EXPECT_EQ(normal_quantile(0.25), -normal_quantile(0.75));
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-15);
}

TEST(PortableMath, LogFactorialAgreesWithTheLogarithmOfGamma) {
  EXPECT_EQ(log_factorial(0), 0);
  EXPECT_EQ(log_factorial(1), 0);
  for (std::uint64_t n = 2; n < 1'000'000'000; n += 1 + n / 7) {
    const double expected = std::lgamma(static_cast<double>(n) + 1);
    EXPECT_NEAR(log_factorial(n) / expected, 1, 2e-15) << n;
  }
}

// The point of it all: the bits themselves.
TEST(PortableMath, BitsArePinned) {
  EXPECT_EQ(std::bit_cast<std::uint64_t>(portable_log(10)), 4612367379483415830U);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(portable_exp(-3.7)), 4582783292742766660U);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(normal_quantile(0.01)), 13835792925364125454U);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(log_factorial(1000)), 4663222468378242742U);
}

}  // namespace
}  // namespace atl
