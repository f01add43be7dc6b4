// Pairs counted transaction by transaction: time follows how often items meet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/exhaustive/pairs/pair_rows.hpp"

namespace atl {

/// Counts one item with all more frequent ones: for each transaction that has it, each item before
/// it there gets one more. A product of sparse matrices, row by row, with a dense accumulator
/// (Gustavson 1978, "Two fast algorithms for sparse matrices"). For one thread.
class ListCounter {
 public:
  /// @param rows  must outlive it
  explicit ListCounter(const PairRows& rows);

  /// Appends the columns of one row that are counted at least so often, ascending.
  /// @param row      rank of the item
  /// @param first    the columns are the ranks from here to row - 1
  /// @param columns  gets ranks
  /// @param counts   gets their counts
  void count_row(std::uint32_t row, std::uint32_t first, std::uint64_t min_count,
                 std::vector<std::uint32_t>& columns, std::vector<std::uint32_t>& counts);

 private:
  // So many columns (a power of 2) are looked at together.
  static constexpr unsigned line_bits = 3;

  template <bool Few>
  void meet(std::uint32_t row, std::uint32_t first);
  void take_all(std::uint32_t row, std::uint32_t first, std::uint64_t min_count,
                std::vector<std::uint32_t>& columns, std::vector<std::uint32_t>& counts);
  void take_lines(std::uint64_t min_count, std::vector<std::uint32_t>& columns,
                  std::vector<std::uint32_t>& counts);

  const PairRows& rows_;
  std::vector<std::uint32_t> counts_;  // [items] and a line more; 0 between calls
  std::vector<std::uint64_t> lines_;   // a bit for each line of counts_; 0 between calls
};

}  // namespace atl
