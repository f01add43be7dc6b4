// Transactions that exist with a probability, in vertical form.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/core/thread_pool.hpp"
#include "src/data/transactions/transaction_set.hpp"
#include "src/exhaustive/levels/item_bitmaps.hpp"

namespace atl {

/// Sets of items, each by the ranks of its items, descending: from the rarest item on.
struct RankedSets {
  std::uint32_t length = 1;
  std::vector<std::uint32_t> ranks;  ///< [sets][length]

  std::size_t size() const noexcept { return ranks.size() / length; }
  std::span<const std::uint32_t> operator[](std::size_t set) const noexcept {
    return {ranks.data() + set * length, length};
  }
};

/// Bit columns of items. First come the transactions that exist with a probability below 1, in
/// their order, then, from a block of 512 on, those that are certain. Transactions that have none
/// of the items are left out.
struct UncertainColumns {
  /// @param transactions  without probabilities all are certain
  /// @param items  [items] numbers of items, by rank
  /// @param pool   if there is one, its threads share the work
  UncertainColumns(const TransactionSet& transactions, std::vector<std::uint32_t> items,
                   ThreadPool* pool = nullptr);

  ItemBitmaps bitmaps;
  std::size_t certain_word = 0;       ///< of a column: where certain ones begin; a multiple of 8
  std::vector<double> probabilities;  ///< [certain_word * 64] of the uncertain ones; 0 where no
                                      ///< transaction is
};

/// The probabilities of the uncertain transactions that have all items of a set, in the order of
/// the columns.
/// @param set  ranks @param out  overwritten
void find_probabilities(const UncertainColumns& columns, std::span<const std::uint32_t> set,
                        std::vector<double>& out);

}  // namespace atl
