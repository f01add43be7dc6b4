#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "src/data/transactions/transaction_set.hpp"

namespace atl::io {

/// Takes the transactions that a reader reads.
class TransactionSink {
 public:
  virtual ~TransactionSink() = default;
  /// One after the other, in their order.
  /// @param items  ascending, none twice; numbered from 0 in the order in which the text has them
  virtual void take(std::span<const std::uint32_t> items) = 0;
};

/// The items of a text that has been read, in the order that a set of transactions has.
struct ItemNames {
  std::vector<std::string> names;     ///< [items]
  std::vector<std::uint32_t> places;  ///< [items] of each number, its place among them
};

/// Holds in memory what a reader reads: 4 bytes for each item of a transaction and 8 for each
/// transaction.
class CollectedTransactions : public TransactionSink {
 public:
  void take(std::span<const std::uint32_t> items) override;
  TransactionSet finish(ItemNames names) &&;

 private:
  std::vector<std::uint64_t> starts_{0};
  std::vector<std::uint32_t> items_;
};

/// Collects what `read(sink)` reads, which returns the names.
template <typename Read>
TransactionSet collected(const Read& read) {
  CollectedTransactions transactions;
  ItemNames names = read(transactions);
  return std::move(transactions).finish(std::move(names));
}

}  // namespace atl::io
