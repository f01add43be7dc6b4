#include <algorithm>
#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

#include "src/measures/significance.hpp"

namespace atl {
namespace {

double choose(std::uint64_t n, std::uint64_t k) {
  if (k > n) return 0;
  double result = 1;
  for (std::uint64_t i = 1; i <= k; ++i) {
    result = result * static_cast<double>(n - k + i) / static_cast<double>(i);
  }
  return result;
}

/// The probability of k and more in both, summed over the tables of these margins.
double enumerated_p(std::uint64_t n, std::uint64_t a, std::uint64_t c, std::uint64_t k) {
  double p = 0;
  for (std::uint64_t i = k; i <= std::min(a, c); ++i) {
    p += choose(c, i) * choose(n - c, a - i) / choose(n, a);
  }
  return p;
}

TEST(Fisher, AgreesWithEnumerationOnAllSmallTables) {
  for (std::uint64_t n = 1; n <= 14; ++n) {
    for (std::uint64_t a = 0; a <= n; ++a) {
      for (std::uint64_t c = 0; c <= n; ++c) {
        const std::uint64_t least = a + c > n ? a + c - n : 0;
        for (std::uint64_t k = least; k <= std::min(a, c); ++k) {
          EXPECT_NEAR(log_fisher_p({n, a, c, k}), std::log(enumerated_p(n, a, c, k)), 1e-12)
              << n << ' ' << a << ' ' << c << ' ' << k;
        }
      }
    }
  }
}

// Expected values by rational arithmetic.
TEST(Fisher, AgreesWithExactArithmeticOnLargeTables) {
  EXPECT_NEAR(log_fisher_p({1000, 100, 200, 60}), -46.32973854431557, 1e-11);
  EXPECT_NEAR(log_fisher_p({1000, 100, 200, 20}), -0.6086663357337434, 1e-11);
  EXPECT_NEAR(log_fisher_p({100'000, 3000, 20'000, 1500}), -699.7639181687807, 1e-8);
}

}  // namespace
}  // namespace atl
