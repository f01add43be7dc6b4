#pragma once

#include <algorithm>
#include <limits>

#include "src/core/portable_math.hpp"

namespace atl {

/// Stands for a p-value that no double can hold: 0 would claim the impossible.
inline constexpr double least_p_value = std::numeric_limits<double>::min();

/// The probability of which this is the logarithm, at least least_p_value. @pre log_p <= 0
inline double p_value(double log_p) noexcept {
  return std::max(portable_exp(log_p), least_p_value);
}

/// The p-value of both sides together, from that of the likelier side.
inline double two_sided_p_value(double log_p) noexcept {
  return std::clamp(2 * portable_exp(log_p), least_p_value, 1.0);
}

}  // namespace atl
