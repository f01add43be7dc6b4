// The sparse form of the transactions below a prefix: lists of items.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/data/transactions/transaction_set.hpp"

namespace atl {

/// Rows of items by rank, ascending; rank 0 is the most frequent item.
struct RankedRows {
  std::vector<std::uint32_t> starts{0};  ///< [rows + 1]
  std::vector<std::uint32_t> entries;    ///< [starts.back()] ranks, and any behind them
  std::vector<std::uint32_t> weights;    ///< [rows] transactions that are this row
  std::vector<std::uint32_t> supports;   ///< [ranks] all frequent
  std::vector<std::uint32_t> names;      ///< [ranks] what a sink calls them

  std::size_t rows() const noexcept { return weights.size(); }
  std::size_t ranks() const noexcept { return supports.size(); }
  void clear() noexcept;
  /// Are there enough entries in it for bit columns to be the faster form?
  bool is_dense() const noexcept;
};

/// Items of at least `min_count` transactions by rank: descending support, the lower number first
/// among equals.
std::vector<std::uint32_t> ranked_items(const TransactionSet& transactions,
                                        std::uint64_t min_count);

/// The transactions with their frequent items by rank, see ranked_items().
/// Equal rows are joined, those without frequent items are left out.
/// @param skip_first  leaves out so many of the most frequent items
RankedRows ranked_rows(const TransactionSet& transactions, std::uint64_t min_count,
                       std::size_t skip_first);

}  // namespace atl
