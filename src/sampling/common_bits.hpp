// Operations on bit sets of a few thousand bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace atl {

/// Bits set in both of two bit sets.
std::uint64_t common_bits(const std::uint64_t* a, const std::uint64_t* b,
                          std::size_t words) noexcept;

/// The bits set in one bit set and not in another.
struct BitRange {
  const std::uint64_t* with;
  const std::uint64_t* without;
};

/// The bits that are in all of the ranges. @pre there is one; none of them reads `out`
void intersect_bits(std::span<const BitRange> ranges, std::uint64_t* out,
                    std::size_t words) noexcept;

/// Position of the bit set in both before which there are `skip` others. @pre there is one
std::size_t nth_common_bit(const std::uint64_t* a, const std::uint64_t* b, std::size_t words,
                           std::uint64_t skip) noexcept;

}  // namespace atl
