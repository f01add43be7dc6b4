// C++17, for the host and the device.
#pragma once

#include <cstdint>

#include "src/core/host_device.hpp"

namespace atl {

/// Two mixes of a word of a bit column and its place. Sums of them are a hash of a column in which
/// the order of words does not matter.
struct WordHash {
  std::uint64_t low, high;

  ATOLL_HOST_DEVICE static constexpr std::uint64_t mixed(std::uint64_t x) noexcept {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
  }
  /// @param place  the word's number in its column
  ATOLL_HOST_DEVICE static constexpr WordHash of(std::uint64_t place, std::uint64_t word) noexcept {
    const std::uint64_t low = mixed(word + (place + 1) * 0x9e3779b97f4a7c15ULL);
    return {low, mixed(word ^ (low * 0xd6e8feb86659fd93ULL))};
  }
};

}  // namespace atl
