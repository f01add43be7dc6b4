// Bounds of the probability that at least so many of some independent transactions exist, from
// moments alone. They prove; they never decide.
#pragma once

#include <cmath>
#include <cstdint>

#include "src/exhaustive/uncertain/cover_sums.hpp"

namespace atl {

/// The number of transactions, and the mean and the variance of how many of them exist.
struct SupportMoments {
  std::uint32_t rows = 0;
  double mean = 0;
  double variance = 0;

  /// The most that mean and variance may be off, as each transaction's part is rounded to 48 bits.
  double error() const noexcept { return std::ldexp(rows, -FixedSum::bits) + 1e-12 * mean; }
};

struct TailBounds {
  double lower = 0, upper = 1;
};

/// By Hoeffding's inequality from the mean (Hoeffding 1963, theorem 1, which is Chernoff's bound;
/// Sun et al. 2010 prune by a looser form of it, their lemma on expected supports).
/// @param least  from 1 to rows, as below
TailBounds hoeffding_bounds(const SupportMoments& moments, std::uint32_t least) noexcept;

/// By Bennett's inequality from mean and variance (Bennett 1962, equation 8b; Boucheron, Lugosi and
/// Massart 2013, theorem 2.9).
TailBounds bennett_bounds(const SupportMoments& moments, std::uint32_t least) noexcept;

/// By the normal distribution, which is off by at most 0.56 / standard deviation (Shevtsova 2010:
/// the Berry-Esseen theorem for terms that are not alike).
TailBounds normal_bounds(const SupportMoments& moments, std::uint32_t least) noexcept;

/// By the Poisson distribution, which is off by at most (mean - variance) / max(1, mean) (Barbour
/// and Hall 1984, theorem 1: Le Cam's theorem, sharper).
TailBounds poisson_bounds(const SupportMoments& moments, std::uint32_t least) noexcept;

/// The best of all four. The Poisson bounds are computed only where they may say more than the
/// others.
TailBounds tail_bounds(const SupportMoments& moments, std::uint32_t least) noexcept;

}  // namespace atl
