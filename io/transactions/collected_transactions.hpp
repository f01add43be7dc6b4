#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "io/transactions/transaction_sink.hpp"
#include "src/data/transactions/transaction_set.hpp"

namespace atl::io {

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

/// What `read(sink)` reads, which returns the names.
template <typename Read>
TransactionSet collected(const Read& read) {
  CollectedTransactions transactions;
  ItemNames names = read(transactions);
  return std::move(transactions).finish(std::move(names));
}

}  // namespace atl::io
