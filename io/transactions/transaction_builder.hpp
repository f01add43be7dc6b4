// The part that readers of transactions have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "io/transactions/transaction_sink.hpp"
#include "src/core/report.hpp"

namespace atl::io {

/// Numbers names in the order of their first appearance, from 0.
class NameNumbers {
 public:
  std::uint32_t of(std::string_view name);
  std::size_t size() const noexcept { return numbers_.size(); }
  /// [size()] by their numbers
  std::vector<std::string> names() const;

 private:
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::string key_;
};

/// The numbers of names, in the order of the names' bytes.
std::vector<std::uint32_t> order_of_bytes(const std::vector<std::string>& names);

class TransactionBuilder {
 public:
  /// Most transactions, and most items in them.
  static constexpr std::uint64_t most_entries = std::numeric_limits<std::uint32_t>::max() - 1;

  /// @param name  the file's, for messages
  /// @param sink  gets each transaction; must outlive it
  TransactionBuilder(const std::string& name, TransactionSink& sink) : name_(name), sink_(sink) {}

  /// Adds an item to the transaction that is being read. Items are numbered by whoever reads them.
  void add(std::uint32_t item) {
    ascending_ = ascending_ && (items_.empty() || items_.back() < item);
    items_.push_back(item);
  }
  /// An item that it has twice counts once.
  /// @throws BadData for more transactions or items in them than 2^32 - 2
  void end_transaction(std::uint64_t line);

  /// Reports repeated items and empty transactions. @throws BadData for no transactions
  /// @param names  [items]
  /// @param order  [items] of their numbers, in the set to be made
  ItemNames finish(std::vector<std::string> names, const std::vector<std::uint32_t>& order,
                   const Report& report) const;

 private:
  void join_equal(std::uint64_t line);

  const std::string name_;
  TransactionSink& sink_;
  std::vector<std::uint32_t> items_;  // of the transaction that is being read
  bool ascending_ = true;
  std::uint64_t transactions_ = 0, entries_ = 0;
  std::uint64_t repeated_ = 0, first_repeated_ = 0, empty_ = 0;
};

}  // namespace atl::io
