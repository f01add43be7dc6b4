// The tables of Tang and Wang 2014, "Design and implementation of Apriori on GPU" (in Chinese),
// and their search on a CPU: loops that do what the threads of a GPU do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/data/transactions/transaction_set.hpp"

namespace atl::cuda {

/// Itemsets in 32-bit words (sections 3.1 and 3.2.2): which items each has, with its support in a
/// word behind them, and which transactions have it.
struct AprioriTables {
  std::uint32_t sets = 0;
  std::uint32_t item_words = 0;
  std::uint32_t transaction_words = 0;
  std::vector<std::uint32_t> items;         ///< [sets][item_words + 1]
  std::vector<std::uint32_t> transactions;  ///< [sets][transaction_words]

  std::uint32_t item_columns() const noexcept { return item_words + 1; }
  std::uint64_t joins() const noexcept { return std::uint64_t{sets} * (sets - 1) / 2; }
  /// Takes memory for so many sets of the same words.
  void resize(std::uint32_t count);
};

/// The sets of one item each, of items given by number. Supports are 0.
AprioriTables tables_of_items(const TransactionSet& transactions,
                              std::span<const std::uint32_t> items);

/// Algorithm 3 without blocks that do nothing: joins all sets x with all sets y < x, as number
/// x (x - 1) / 2 + y. Supports are 0.
/// @param out  overwritten; reuses what it has allocated
void join_all(const AprioriTables& sets, AprioriTables& out);
/// Algorithm 1 on each word, and the sum: writes supports.
void count_supports(AprioriTables& sets);

}  // namespace atl::cuda
