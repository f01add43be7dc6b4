#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace atl {

/// Transactions: sets of items that have names, in which no blank is unless in double quotes.
/// Immutable.
class TransactionSet {
 public:
  /// @param names   [items] in the items' order
  /// @param starts  [transactions + 1] ascending from 0
  /// @param items   [starts.back()] those of each transaction ascending, none twice, each below
  /// the number of names
  TransactionSet(std::vector<std::string> names, std::vector<std::uint64_t> starts,
                 std::vector<std::uint32_t> items);

  /// The same with the probability that each transaction exists.
  /// @param probabilities  [size()] in (0, 1]
  TransactionSet with_probabilities(std::vector<double> probabilities) &&;
  /// The same for whoever takes all transactions as they are.
  TransactionSet without_probabilities() &&;

  std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(starts_.size() - 1); }
  std::uint32_t item_count() const noexcept { return static_cast<std::uint32_t>(names_.size()); }
  const std::string& name(std::uint32_t item) const noexcept { return names_[item]; }
  const std::vector<std::string>& names() const noexcept { return names_; }
  /// Its items, ascending; may be empty.
  std::span<const std::uint32_t> transaction(std::uint32_t t) const noexcept {
    return {items_.data() + starts_[t], static_cast<std::size_t>(starts_[t + 1] - starts_[t])};
  }
  /// [entries()] those of the first transaction, then of the second, and so on
  std::span<const std::uint32_t> items() const noexcept { return items_; }
  /// Items of all transactions together.
  std::uint64_t entries() const noexcept { return items_.size(); }
  /// [items] transactions with the item
  const std::vector<std::uint32_t>& supports() const noexcept { return supports_; }
  /// [size()] that each transaction exists, or empty: all do
  const std::vector<double>& probabilities() const noexcept { return probabilities_; }

 private:
  std::vector<std::string> names_;
  std::vector<std::uint64_t> starts_;
  std::vector<std::uint32_t> items_;
  std::vector<std::uint32_t> supports_;
  std::vector<double> probabilities_;
};

}  // namespace atl
