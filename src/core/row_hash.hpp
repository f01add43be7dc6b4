// C++17, for the host and the device.
#pragma once

#include <cstdint>

#include "src/core/host_device.hpp"

namespace atl {

/// Hash of a row's index in the whole dataset: the finaliser of SplitMix64 (Steele et al. 2014).
ATOLL_HOST_DEVICE constexpr std::uint64_t row_hash(std::uint64_t row) noexcept {
  std::uint64_t z = row + 0x9E3779B97F4A7C15U;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}

}  // namespace atl
