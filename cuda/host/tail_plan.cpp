#include "cuda/host/tail_plan.hpp"

#include <algorithm>

#include "src/core/window_reach.hpp"

namespace atl::cuda {

std::uint32_t most_window_width(std::uint64_t rows, double exponent) {
  // A variance is a quarter of the rows at most. One count more on either side is for rounding.
  const double reach = window_reach(static_cast<double>(rows) / 4, exponent);
  const auto width = static_cast<std::uint64_t>(2 * reach) + 5;
  return static_cast<std::uint32_t>(std::min(rows + 1, width));
}

std::uint32_t tail_tiles(std::uint32_t rows) {
  return rows / tile_row_step + (rows % tile_row_step != 0 ? 1 : 0);
}

std::vector<TailLevel> plan_tails(std::span<const std::uint32_t> tiles) {
  struct Open {
    std::uint32_t cover, nodes;
  };
  std::vector<Open> open;
  for (std::uint32_t c = 0; c < tiles.size(); ++c) {
    if (tiles[c] > 0) open.push_back({c, tiles[c]});
  }
  std::vector<TailLevel> levels;
  while (!open.empty()) {
    TailLevel& level = levels.emplace_back();
    std::vector<Open> next;
    for (const Open& one : open) {
      if (one.nodes <= 2) {
        level.ends.push_back({one.cover, level.nodes, one.nodes});
      } else {
        for (std::uint32_t n = 0; n < one.nodes; n += 2)
          level.joins.push_back({level.nodes + n, std::min(one.nodes - n, 2U)});
        next.push_back({one.cover, (one.nodes + 1) / 2});
      }
      level.nodes += one.nodes;
    }
    open = std::move(next);
  }
  return levels;
}

}  // namespace atl::cuda
