// Finds the sets that can be similar enough to one, by their sizes alone.
#pragma once

#include <cstddef>
#include <cstdint>

namespace atl {

/// The arrays below are read up to a multiple of so many elements.
inline constexpr std::size_t reach_lanes = 16;

/// A set, and the Jaccard index that others have to reach. Sets that do are never left out; of
/// those that fall short by a hundred-thousandth at most, any may be found.
struct Reach {
  float rows;   ///< its size, at least 1
  float least;  ///< greater than 0
};

/// Finds the sets within reach, of sets that share with it as many rows as `common` says, or,
/// beyond their own size, as many as they can.
/// @param rows    [count] sizes, at most 65,534; 0 in what is read beyond, or where there is no set
/// @param common  [count] null: unknown
/// @param out     [count / 64, rounded up] bits
void sets_within(const Reach& reach, const float* rows, const std::uint16_t* common,
                 std::size_t count, std::uint64_t* out) noexcept;

/// Finds sets likewise, where the index of each is multiplied with a factor before.
/// @param factors  [count]
void members_within(const Reach& reach, const float* rows, const float* factors, std::size_t count,
                    std::uint64_t* out) noexcept;

}  // namespace atl
