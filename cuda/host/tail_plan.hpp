// How tails are computed on a device: covers in tiles of rows, and the tree of convolutions above
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cuda/host/tail_format.hpp"

namespace atl::cuda {

/// Counts that the distribution of so many rows has within its window, at most.
std::uint32_t most_window_width(std::uint64_t rows, double exponent);

/// A part of the tree at some height: so many nodes of covers, and what becomes of them.
struct TailLevel {
  std::uint32_t nodes = 0;
  std::vector<TailJoin> joins;  ///< they make the nodes of the next level, in order
  std::vector<TailEnd> ends;    ///< of covers with one or two nodes
};

/// Tiles that a cover of so many rows is cut into.
std::uint32_t tail_tiles(std::uint32_t rows);

/// The tree of each cover depends on its number of tiles alone.
/// @param tiles  [covers] @return from the tiles up
std::vector<TailLevel> plan_tails(std::span<const std::uint32_t> tiles);

}  // namespace atl::cuda
