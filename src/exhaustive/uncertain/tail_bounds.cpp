#include "src/exhaustive/uncertain/tail_bounds.hpp"

#include <algorithm>
#include <cmath>

#include "src/core/portable_math.hpp"

namespace atl {
namespace {

/// Relative errors of what is computed here are far below it.
constexpr double margin = 1e-9;

TailBounds at_most(double upper) noexcept {
  return {0, std::min(1.0, upper * (1 + margin))};
}

TailBounds at_least(double lower) noexcept {
  return {std::clamp(lower, 0.0, 1.0), 1};
}

/// A probability that is known but for an error.
TailBounds near(double value, double error) noexcept {
  const double all = error + margin;
  return {std::max(0.0, value - all), std::min(1.0, value + all)};
}

/// x ln(x / y), 0 where x is 0. A share y that is 0 but for rounding is taken for the least one.
double relative_entropy(double x, double y) noexcept {
  constexpr double least_share = 1e-300;
  return x > 0 ? x * portable_log(x / std::max(y, least_share)) : 0;
}

/// exp(-n KL(a || b)) for shares a and b of n transactions.
double chernoff(double rows, double share, double mean_share) noexcept {
  const double entropy =
      relative_entropy(share, mean_share) + relative_entropy(1 - share, 1 - mean_share);
  return portable_exp(-rows * std::max(0.0, entropy));
}

/// The probability to be off the mean by `distance` in one direction, at most.
double bennett(double variance, double distance) noexcept {
  const double u = distance / variance;
  return portable_exp(-variance * std::max(0.0, (1 + u) * portable_log(1 + u) - u));
}

/// The probability that a Poisson variable is at least `least`, from the terms on the side that
/// has less.
double poisson_tail(double mean, std::uint32_t least) noexcept {
  const auto term = [&](double k) {
    return portable_exp(k * portable_log(mean) - mean -
                        log_factorial(static_cast<std::uint64_t>(k)));
  };
  double sum = 0;
  if (least > mean) {
    double k = least;
    for (double next = term(k); next > 1e-18; ++k, next *= mean / k) sum += next;
    return sum;
  }
  double k = static_cast<double>(least) - 1;
  for (double next = term(k); next > 1e-18 && k >= 0; next *= k / mean, --k) sum += next;
  return 1 - sum;
}

void tighten(TailBounds& bounds, const TailBounds& by) noexcept {
  bounds.lower = std::max(bounds.lower, by.lower);
  bounds.upper = std::min(bounds.upper, by.upper);
}

}  // namespace

TailBounds hoeffding_bounds(const SupportMoments& moments, std::uint32_t least) noexcept {
  const double rows = moments.rows;
  if (least > moments.mean) {
    const double share = std::min(1.0, (moments.mean + moments.error()) / rows);
    return least / rows > share ? at_most(chernoff(rows, least / rows, share)) : TailBounds{};
  }
  const double share = std::max(0.0, (moments.mean - moments.error()) / rows);
  const double below = (least - 1.0) / rows;
  return below < share ? at_least(1 - (1 + margin) * chernoff(rows, below, share)) : TailBounds{};
}

TailBounds bennett_bounds(const SupportMoments& moments, std::uint32_t least) noexcept {
  const double variance = moments.variance + moments.error();
  const double above = least - (moments.mean + moments.error());
  if (above > 0) return at_most(bennett(variance, above));
  const double below = moments.mean - moments.error() - (least - 1.0);
  return below > 0 ? at_least(1 - (1 + margin) * bennett(variance, below)) : TailBounds{};
}

TailBounds normal_bounds(const SupportMoments& moments, std::uint32_t least) noexcept {
  if (moments.variance <= 1) return {};  // the error would be above a half
  const double deviation = std::sqrt(moments.variance);
  // P(S >= least) = 1 - P(S <= least - 1), and the theorem is of P(S <= x) for any x in between:
  const double z = (least - 0.5 - moments.mean) / deviation;
  return near(portable_exp(log_normal_tail(z)), 0.56 / deviation);
}

TailBounds poisson_bounds(const SupportMoments& moments, std::uint32_t least) noexcept {
  const double error = (moments.mean - moments.variance) / std::max(1.0, moments.mean);
  if (!(moments.mean > 0) || error > 0.5) return {};
  return near(poisson_tail(moments.mean, least), std::max(0.0, error));
}

TailBounds tail_bounds(const SupportMoments& moments, std::uint32_t least) noexcept {
  TailBounds bounds = hoeffding_bounds(moments, least);
  tighten(bounds, bennett_bounds(moments, least));
  tighten(bounds, normal_bounds(moments, least));
  // The Poisson distribution says more than the normal one where nearly all is unlikely.
  const double error = (moments.mean - moments.variance) / std::max(1.0, moments.mean);
  if (error < bounds.upper - bounds.lower) tighten(bounds, poisson_bounds(moments, least));
  return bounds;
}

}  // namespace atl
