// Puts the rows of a comparison together from sets of rows. C++17, for the device's compiler as
// well.
#pragma once

#include <cstdint>

namespace atl {

/// Stands for a set that there is not.
inline constexpr std::uint32_t no_row_set = 0xFFFFFFFF;

/// Numbers of row sets of a ClassSample.
struct alignas(16) ComparisonRows {
  static constexpr std::uint32_t negation = std::uint32_t{1} << 31;

  /// It holds on the rows of all sets from `first` up to `end`,
  std::uint32_t first = 0, end = 0;
  /// but not on those of this one;
  std::uint32_t without = no_row_set;
  /// or, with `negation` added, on the other ones of this set.
  std::uint32_t present = 0;
};

}  // namespace atl
