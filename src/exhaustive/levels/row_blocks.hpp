// Sets of transactions of which most blocks of 512 may be empty.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/data/aligned_words.hpp"

namespace atl {

/// The blocks of a bit column that have any bit.
class RowBlocks {
 public:
  static constexpr std::size_t block_words = 8;

  /// @param words  of the column, a multiple of block_words
  explicit RowBlocks(std::size_t words)
      : numbers_(words / block_words), words_(AlignedWords::unset(words)) {}

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

}  // namespace atl
