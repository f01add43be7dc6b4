#pragma once

#include <cstddef>
#include <cstdint>

namespace atl {

/// Bits set in both and in either of two bit sets.
struct Overlap {
  std::uint64_t both = 0;
  std::uint64_t either = 0;
};

Overlap overlap(const std::uint64_t* a, const std::uint64_t* b, std::size_t words) noexcept;

}  // namespace atl
