#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace atl {

/// Bits set in both and in either of two bit sets.
struct Overlap {
  std::uint64_t both = 0;
  std::uint64_t either = 0;
};

Overlap overlap(const std::uint64_t* a, const std::uint64_t* b, std::size_t words) noexcept;

/// Bits set in both of two bit sets, for several sets that are laid out one after the other.
/// @param which  [n] of the sets
/// @param in_a, in_b  [n] how many bits of each are in a, and in b
void overlaps(const std::uint64_t* a, const std::uint64_t* b, const std::uint64_t* sets,
              std::span<const std::uint32_t> which, std::size_t words, std::uint32_t* in_a,
              std::uint32_t* in_b) noexcept;

/// Position of the bit set in both before which there are `skip` others. @pre there is one
std::size_t nth_common(const std::uint64_t* a, const std::uint64_t* b, std::size_t words,
                       std::uint64_t skip) noexcept;

}  // namespace atl
