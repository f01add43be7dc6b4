// What the search for frequent itemsets on a device begins with and ends in.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/data/transactions/transaction_set.hpp"
#include "src/exhaustive/itemsets/itemset_tally.hpp"

namespace atl::cuda {

/// Distinct transactions by the bits of their frequent items that not all transactions have. Item 0
/// is the most frequent one.
struct ItemsetInput {
  std::uint32_t rows = 0, items = 0;
  std::uint32_t everywhere = 0;  ///< items that all transactions have
  std::uint32_t transactions = 0;
  std::uint32_t weight_bits = 0;        ///< all weights are below 2^weight_bits
  std::vector<std::uint32_t> words;     ///< [ceil(items / 32)][rows] bit b of word w: item 32 w + b
  std::vector<std::uint32_t> weights;   ///< [rows] transactions that are equal to it
  std::vector<std::uint32_t> supports;  ///< [items]

  std::uint32_t word_count() const noexcept { return (items + 31) / 32; }
  /// Items of a set, at most.
  std::uint32_t most_items() const noexcept { return everywhere + items; }
  /// Of the empty set; prefix_search.hpp says what is in it.
  std::vector<std::uint32_t> first_task() const;
  /// Of each of the sets of one item, those in [first, end).
  std::vector<std::uint32_t> item_tasks(std::uint32_t first, std::uint32_t end) const;
};

/// @pre there are at least min_count transactions
ItemsetInput itemset_input(const TransactionSet& transactions, std::uint64_t min_count);

/// @param sets  [copies][most_items() + 1][most_items() + 1] by the number of perfect extensions
/// and the length without them
ItemsetTally tally_of(std::span<const unsigned long long> sets, const ItemsetInput& input);

}  // namespace atl::cuda
