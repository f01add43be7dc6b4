#include "src/measures/fisher.hpp"

#include <algorithm>
#include <cstdint>

#include "src/core/portable_math.hpp"

namespace atl {
namespace {

double log_choose(std::uint64_t n, std::uint64_t k) noexcept {
  return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
}

}  // namespace

double log_fisher_p(const ContingencyTable& table) noexcept {
  const std::uint64_t n = table.n;
  const std::uint64_t a = table.n_antecedent;
  const std::uint64_t c = table.n_consequent;
  const std::uint64_t k = table.n_both;
  const std::uint64_t least = a + c > n ? a + c - n : 0;
  const std::uint64_t most = std::min(a, c);
  if (k <= least) return 0;

  // Hypergeometric probabilities as multiples of the one at k, summed outwards from it on the side
  // where they fall: at and above k, or, if k is not above the mean, below it.
  const auto odds_of_next = [&](std::uint64_t i) {  // P(i + 1) / P(i)
    return static_cast<double>(a - i) / static_cast<double>(i + 1) *
           (static_cast<double>(c - i) / static_cast<double>(n - a - c + i + 1));
  };
  const double log_at_k = log_choose(c, k) + log_choose(n - c, a - k) - log_choose(n, a);
  const bool above_mean = static_cast<double>(k) * static_cast<double>(n) >
                          static_cast<double>(a) * static_cast<double>(c);
  double sum = 0;
  if (above_mean) {
    double term = 1;
    for (std::uint64_t i = k; term > sum * 1e-17; ++i) {
      sum += term;
      if (i == most) break;
      term *= odds_of_next(i);
    }
    return std::min(0.0, log_at_k + portable_log(sum));
  }
  double term = 1;
  for (std::uint64_t i = k; i-- > least && term > sum * 1e-17;) {
    term /= odds_of_next(i);
    sum += term;
  }
  return portable_log(1 - portable_exp(log_at_k) * sum);  // of no less than about a half
}

}  // namespace atl
