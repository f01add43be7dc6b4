// Sets of transactions of which most blocks of 512 may be empty.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/data/aligned_words.hpp"
#include "src/exhaustive/levels/item_bitmaps.hpp"

namespace atl {

/// The blocks of a bit column that have any bit.
class RowBlocks {
 public:
  static constexpr std::size_t block_words = 8;

  /// @param words  of the column, a multiple of block_words
  explicit RowBlocks(std::size_t words)
      : numbers_(words / block_words), words_(AlignedWords::unset(words)) {}

  /// Blocks that have any bit, their numbers ascending, and the words of each.
  std::size_t blocks() const noexcept { return blocks_; }
  std::uint32_t number(std::size_t block) const noexcept { return numbers_[block]; }
  const std::uint64_t* words(std::size_t block) const noexcept {
    return words_.data() + block_words * block;
  }

  /// Takes a column. @param column  at a 64-byte boundary, as all columns here
  void assign(const std::uint64_t* column);
  /// Takes what the other has in common with a column.
  void assign_common(const RowBlocks& other, const std::uint64_t* column);
  /// Counts what it has in common with each of 1 to 4 columns.
  void count_common(const std::uint64_t* const* columns, std::size_t count,
                    std::uint32_t* counts) const;

 private:
  std::vector<std::uint32_t> numbers_;  // of the blocks, ascending
  AlignedWords words_;                  // of the blocks
  std::size_t blocks_ = 0;
};

/// The transactions that have all items of a path, which mostly differs from the last one near its
/// end only.
class PathRows {
 public:
  /// @param path  ranks; the bitmaps are the same each time
  /// @return how many items it begins with as the last one did
  std::size_t set(std::span<const std::uint32_t> path, const ItemBitmaps& bitmaps) {
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
    return same;
  }
  /// Those that have the first items of the path, up to item i.
  const RowBlocks& operator[](std::size_t i) const noexcept { return rows_[i]; }
  /// As set(), for all items. @pre the path is not empty
  const RowBlocks& of(std::span<const std::uint32_t> path, const ItemBitmaps& bitmaps) {
    set(path, bitmaps);
    return rows_[path.size() - 1];
  }

 private:
  std::vector<std::uint32_t> path_;
  std::vector<RowBlocks> rows_;  // [path]
};

}  // namespace atl
