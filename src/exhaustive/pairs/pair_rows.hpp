// The forms of transactions that pairs of items are counted in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/core/parallel.hpp"
#include "src/core/thread_pool.hpp"
#include "src/data/transactions/transaction_set.hpp"

namespace atl {

/// A run of ranks: rank 0 is the most frequent item (ranked_items() of ranked_rows.hpp).
struct RankRange {
  std::uint32_t first, end;
  std::uint32_t size() const noexcept { return end - first; }
};

/// Transactions of at least two frequent items, as lists of the items' ranks, and for each item the
/// places where it stands. Others support no pair: they are left out, but for `supports`. Takes 12
/// bytes an item of a transaction, and 8 a transaction.
class PairRows {
 public:
  /// Where an item stands: in a transaction behind so many more frequent ones.
  struct Place {
    std::uint32_t transaction, before;
  };

  /// @param min_count  transactions that an item is in, at least; above 0
  /// @param pool       whose threads share the work; null: the calling one does it
  PairRows(const TransactionSet& transactions, std::uint64_t min_count, ThreadPool* pool = nullptr);

  std::uint32_t items() const noexcept { return static_cast<std::uint32_t>(names.size()); }
  std::uint32_t transactions() const noexcept {
    return static_cast<std::uint32_t>(starts_.size() - 1);
  }
  /// Ranks, ascending.
  std::span<const std::uint32_t> transaction(std::uint32_t t) const noexcept {
    return {ranks_.data() + starts_[t], static_cast<std::size_t>(starts_[t + 1] - starts_[t])};
  }
  /// The ranks of a transaction from its beginning on.
  const std::uint32_t* begin_of(std::uint32_t t) const noexcept {
    return ranks_.data() + starts_[t];
  }
  const std::uint64_t* start_of(std::uint32_t t) const noexcept { return starts_.data() + t; }
  /// The transactions that have the item, ascending.
  std::span<const Place> places(std::uint32_t rank) const noexcept {
    return places_.of(rank, rank + std::size_t{1});
  }

  std::vector<std::uint32_t> names;     ///< [items] number of the item
  std::vector<std::uint32_t> supports;  ///< [items] in all transactions
  /// [items] times that the item meets a more frequent one in a transaction
  std::vector<std::uint64_t> meetings;

 private:
  void take_rows(const TransactionSet& transactions, const std::vector<std::uint32_t>& rank,
                 ThreadPool* pool);
  void find_places(ThreadPool* pool);

  std::vector<std::uint64_t> starts_{0};  // [transactions + 1]
  std::vector<std::uint32_t> ranks_;      // [starts_.back()]
  Dealt<Place> places_;                   // [items]
};

}  // namespace atl
