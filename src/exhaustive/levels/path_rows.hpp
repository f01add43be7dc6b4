#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/exhaustive/levels/item_bitmaps.hpp"
#include "src/exhaustive/levels/row_blocks.hpp"

namespace atl {

/// The transactions that have all items of a path, which mostly differs from the last one near its
/// end only.
class PathRows {
 public:
  /// @param path  ranks, not empty; the bitmaps are the same each time
  const RowBlocks& of(std::span<const std::uint32_t> path, const ItemBitmaps& bitmaps) {
    std::size_t same = 0;
    while (same < std::min(path.size(), path_.size()) && path[same] == path_[same]) ++same;
    path_.assign(path.begin(), path.end());
    while (rows_.size() < path.size()) rows_.emplace_back(bitmaps.words);
    for (std::size_t i = same; i < path.size(); ++i) {
      if (i == 0) {
        rows_[0].assign(bitmaps.column(path[0]));
      } else {
        rows_[i].assign_common(rows_[i - 1], bitmaps.column(path[i]));
      }
    }
    return rows_[path.size() - 1];
  }

 private:
  std::vector<std::uint32_t> path_;
  std::vector<RowBlocks> rows_;  // [path]
};

}  // namespace atl
