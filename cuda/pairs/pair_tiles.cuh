// Tiles of pairs of which a thread counts 4 x 4: words of the tile's items are staged word by word,
// so that a thread reads those of four items at once.
#pragma once

#include <cstdint>

namespace atl::cuda {

inline constexpr std::uint32_t pair_tile = 64;
inline constexpr std::uint32_t pair_threads = pair_tile * pair_tile / 16;
inline constexpr std::uint32_t staged_items = pair_tile + 4;  // so that fewer stores meet in a bank

/// Four items' words.
__device__ inline void take_four(const std::uint32_t* from, std::uint32_t (&to)[4]) {
  const uint4 words = *reinterpret_cast<const uint4*>(from);
  to[0] = words.x;
  to[1] = words.y;
  to[2] = words.z;
  to[3] = words.w;
}

}  // namespace atl::cuda
