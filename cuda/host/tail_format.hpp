// What describes the computing of tails to a device. C++17.
#pragma once

#include <cstdint>

namespace atl::cuda {

inline constexpr std::uint32_t leaf_rows = 16;
inline constexpr std::uint32_t tile_leaves = 128;
/// Rows of a cover's tile at most.
inline constexpr std::uint32_t most_tile_rows = leaf_rows * tile_leaves;
/// A tile begins with the first word before which there are a multiple of so many rows or more; the
/// last of its words may have 63 rows beyond.
inline constexpr std::uint32_t tile_row_step = most_tile_rows - 63;
/// Levels of the tree within a tile, that of the leaves among them.
inline constexpr std::uint32_t tile_levels = 8;
/// Values that each second node of a level within a tile has together, at most.
inline constexpr std::uint32_t half_level_values = tile_leaves / 2 * (leaf_rows + 1);

struct TailTile {
  std::uint32_t cover;
  std::uint32_t tile;  ///< of the cover
};

/// Two nodes of a level that lie side by side, or one that has no neighbour, become one.
struct TailJoin {
  std::uint32_t first;
  std::uint32_t nodes;  ///< 1 or 2
};

/// A cover's last nodes, of which its tail is computed.
struct TailEnd {
  std::uint32_t cover;
  std::uint32_t first;
  std::uint32_t nodes;  ///< 1 or 2
};

}  // namespace atl::cuda
