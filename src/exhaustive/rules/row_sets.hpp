// Sets of rows as bit vectors.
#pragma once

#include <cstddef>
#include <cstdint>

namespace atl {

/// Rows in both sets. @pre words is a multiple of 8; both begin at 64-byte boundaries
std::uint64_t count_common(const std::uint64_t* a, const std::uint64_t* b,
                           std::size_t words) noexcept;

/// Writes the rows in both sets to `out`, which begins at a 64-byte boundary too, and counts them.
std::uint64_t intersect(const std::uint64_t* a, const std::uint64_t* b, std::size_t words,
                        std::uint64_t* out) noexcept;

}  // namespace atl
