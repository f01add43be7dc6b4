// C++17, for the host and the device.
#pragma once

#include <cstdint>

#include "src/core/host_device.hpp"
#include "src/core/row_hash.hpp"

namespace atl {

/// Two hashes of a word of a bit column and its place. Sums of them are a hash of a column in which
/// the order of words does not matter.
struct WordHash {
  std::uint64_t low, high;

  /// @param place  the word's number in its column
  ATOLL_HOST_DEVICE static constexpr WordHash of(std::uint64_t place, std::uint64_t word) noexcept {
    const std::uint64_t low = row_hash(word + place * 0x9e3779b97f4a7c15ULL);
    return {low, row_hash(word ^ (low * 0xd6e8feb86659fd93ULL))};
  }
};

}  // namespace atl
