#pragma once

#include <cstdint>

#include "src/core/host_device.hpp"

namespace atl {

/// Chi-squared of a two-by-two table: rows inside an interval and outside, against those that are
/// positive and not; 0 if one of the four margins is empty. Its integers are exact and nothing is
/// added in floating point, so that host and device give the same bits for any table.
/// @param rows, positives  inside
/// @param all, all_positives  inside and outside. @pre all <= 2^31
ATOLL_HOST_DEVICE inline double chi_squared(std::int64_t rows, std::int64_t positives,
                                            std::int64_t all, std::int64_t all_positives) {
  const std::int64_t by_sign = all_positives * (all - all_positives);
  const std::int64_t by_side = rows * (all - rows);
  if (by_sign == 0 || by_side == 0) return 0;
  const auto excess = static_cast<double>(positives * all - rows * all_positives);
  return excess / static_cast<double>(by_sign) * excess / static_cast<double>(by_side) *
         static_cast<double>(all);
}

}  // namespace atl
