// Operations on bit sets of a few thousand bits.
#pragma once

#include <cstddef>
#include <cstdint>

namespace atl {

/// Bits set in both of two bit sets.
std::uint64_t common_bits(const std::uint64_t* a, const std::uint64_t* b,
                          std::size_t words) noexcept;

/// a &= with & ~without. @param without  may be null: nothing
void restrict_bits(std::uint64_t* a, const std::uint64_t* with, const std::uint64_t* without,
                   std::size_t words) noexcept;

/// Position of the bit set in both before which there are `skip` others. @pre there is one
std::size_t nth_common_bit(const std::uint64_t* a, const std::uint64_t* b, std::size_t words,
                           std::uint64_t skip) noexcept;

}  // namespace atl
