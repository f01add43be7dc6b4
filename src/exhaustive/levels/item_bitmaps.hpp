// The vertical form of transactions: a bit column for each frequent item.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/core/thread_pool.hpp"
#include "src/data/aligned_words.hpp"
#include "src/data/transactions/transaction_set.hpp"

namespace atl {

/// Columns by rank (see ranked_items()). Transactions of fewer than two frequent items support no
/// pair and are left out of the columns, not of the supports.
struct ItemBitmaps {
  ItemBitmaps() = default;
  /// @param min_count  transactions that an item is in, at least
  ItemBitmaps(const TransactionSet& transactions, std::uint64_t min_count);
  static constexpr std::uint32_t no_transaction = ~std::uint32_t{0};
  /// @param items  [items] by rank @param kept  [bits] the transaction of each bit, or none
  /// @param pool   if there is one, its threads share the work
  ItemBitmaps(const TransactionSet& transactions, std::vector<std::uint32_t> items,
              std::span<const std::uint32_t> kept, ThreadPool* pool = nullptr);

  /// Those of some of the items. @param ranks  ascending
  ItemBitmaps only(std::span<const std::uint32_t> ranks) const;

  /// Bytes that the columns of so many frequent items would take.
  static std::uint64_t bytes(std::uint64_t items, std::uint64_t transactions) noexcept {
    return items * ((transactions + 511) / 512 * 64);
  }

  std::uint32_t items() const noexcept { return static_cast<std::uint32_t>(names.size()); }
  const std::uint64_t* column(std::uint32_t rank) const noexcept {
    return bits.data() + rank * words;
  }
  bool has(std::uint32_t rank, std::uint64_t transaction) const noexcept {
    return (column(rank)[transaction / 64] >> transaction % 64 & 1) != 0;
  }

  std::vector<std::uint32_t> names;     ///< [items] number of the item
  std::vector<std::uint32_t> supports;  ///< [items]
  std::uint64_t transactions = 0;       ///< bits of a column
  std::size_t words = 0;                ///< of a column, a multiple of 8; bits behind are 0
  AlignedWords bits;                    ///< [items][words]
};

/// The transactions that have at least so many of the items, ascending.
std::vector<std::uint32_t> transactions_with(std::uint32_t least,
                                             const TransactionSet& transactions,
                                             std::span<const std::uint32_t> items);

}  // namespace atl
