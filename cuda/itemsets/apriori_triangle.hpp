// Pairs without waste: a linear index for each pair of different numbers.
#pragma once

#include <cstdint>

#include "src/core/host_device.hpp"

namespace atl::cuda {

struct TrianglePlace {
  std::uint32_t high, low;  ///< low < high
};

/// Pairs of which the higher number is below `high`.
ATOLL_HOST_DEVICE constexpr std::uint64_t triangle_start(std::uint64_t high) {
  return high * (high - 1) / 2;
}

/// The pair at an index: (1, 0), (2, 0), (2, 1), (3, 0), ... The square root is only a guess, whole
/// numbers decide. @pre index < 2^62
ATOLL_HOST_DEVICE inline TrianglePlace triangle_place(std::uint64_t index) {
  auto high =
      static_cast<std::uint64_t>((1 + __builtin_sqrt(1 + 8 * static_cast<double>(index))) / 2);
  while (triangle_start(high) > index) --high;
  while (triangle_start(high + 1) <= index) ++high;
  return {static_cast<std::uint32_t>(high),
          static_cast<std::uint32_t>(index - triangle_start(high))};
}

}  // namespace atl::cuda
