// Which counts of transactions a part of the tree of convolutions holds. C++17, for the host and
// the device: the same bits on both.
#pragma once

#include <cmath>
#include <cstdint>

#include "src/core/host_device.hpp"
#include "src/core/window_reach.hpp"

namespace atl::cuda {

/// Consecutive counts of transactions.
struct CountWindow {
  std::int32_t low = 0;
  std::int32_t width = 1;
};

/// The counts within reach of the mean.
/// @param low, high  counts that there can be; the mean is between them
ATOLL_HOST_DEVICE inline CountWindow count_window(double mean, double variance, double exponent,
                                                  std::int32_t low, std::int32_t high) noexcept {
  const double reach = window_reach(variance, exponent);
  const double least = std::floor(mean - reach), most = std::ceil(mean + reach);
  if (least > low) low = static_cast<std::int32_t>(least);
  if (most < high) high = static_cast<std::int32_t>(most);
  return {low, high - low + 1};
}

}  // namespace atl::cuda
