#include "src/measures/significance.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>

#include "src/core/portable_math.hpp"
#include "src/measures/measures.hpp"

namespace atl {
namespace {

std::vector<std::size_t> ascending(std::span<const double> p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  return order;
}

/// Square of the standard error of the mean, of values divided by `scale`; NaN of fewer than two
/// rows.
double squared_error(const ContingencyTable& table, double scale) noexcept {
  const auto rows = static_cast<double>(table.n_both);
  const double deviation = evaluate(Measure::deviation, table) / scale;
  return deviation * deviation / (rows - 1);
}

/// 1 unless the squares of such deviations would be infinite or nothing.
double scale_of(const ContingencyTable& a, const ContingencyTable& b) noexcept {
  const double greatest =
      std::max(evaluate(Measure::deviation, a), evaluate(Measure::deviation, b));
  return greatest > 1e150 || (greatest > 0 && greatest < 1e-150) ? greatest : 1;
}

double log_choose(std::uint64_t n, std::uint64_t k) noexcept {
  return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
}

}  // namespace

std::vector<double> holm(std::span<const double> p) {
  const std::vector<std::size_t> order = ascending(p);
  std::vector<double> adjusted(p.size());
  double greatest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    greatest = std::max(greatest, p[order[i]] * static_cast<double>(order.size() - i));
    adjusted[order[i]] = std::min(greatest, 1.0);
  }
  return adjusted;
}

std::vector<double> benjamini_hochberg(std::span<const double> p) {
  const std::vector<std::size_t> order = ascending(p);
  std::vector<double> adjusted(p.size());
  double least = 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    least = std::min(least,
                     p[order[i]] * static_cast<double>(order.size()) / static_cast<double>(i + 1));
    adjusted[order[i]] = least;
  }
  return adjusted;
}

double log_mean_p(const ContingencyTable& table) noexcept {
  const double z = evaluate(Measure::z_score, table);
  return std::isnan(z) ? 0 : log_normal_tail(z);
}

double log_productive_mean_p(const ContingencyTable& special,
                             const ContingencyTable& general) noexcept {
  // The rows of the general rule are all there is.
  ContingencyTable within{general.n_both, special.n_both, general.n_both, special.n_both};
  within.target = special.target;
  within.target.mean_all = general.target.mean;
  within.target.deviation_all = general.target.deviation;
  return log_mean_p(within);
}

double mean_change_p(const ContingencyTable& before, const ContingencyTable& after) noexcept {
  if (before.n_both < 2 || after.n_both < 2) return 1;
  const double scale = scale_of(before, after);
  const double error = std::sqrt(squared_error(before, scale) + squared_error(after, scale));
  if (!(error > 0)) return 1;
  const double z = std::abs(after.target.mean / scale - before.target.mean / scale) / error;
  return two_sided_p_value(log_normal_tail(z));
}

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
