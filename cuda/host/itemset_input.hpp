// The input and the first tasks of the search for frequent itemsets on a device.
#pragma once

#include <cstddef>
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
  /// The task of the empty set; prefix_search.hpp says what is in it.
  std::vector<std::uint32_t> first_task() const;
  /// The tasks of the sets of one item, those in [first, end).
  std::vector<std::uint32_t> item_tasks(std::uint32_t first, std::uint32_t end) const;
};

/// @pre there are at least min_count transactions
ItemsetInput itemset_input(const TransactionSet& transactions, std::uint64_t min_count);

/// @param sets  [copies][most_items() + 1][most_items() + 1] by the number of perfect extensions
/// and the length without them
ItemsetTally tally_of(std::span<const unsigned long long> sets, const ItemsetInput& input);

/// Fits a search for frequent itemsets to the memory of a device.
struct PrefixPlan {
  std::uint32_t blocks = 0;
  std::uint32_t node_items = 0;    ///< of a node that is not cut into tasks
  std::uint32_t tally_copies = 0;  ///< of the numbers of sets
  std::size_t task_words = 0;      ///< of a task
  std::size_t tasks = 0;           ///< of a launch
  std::size_t new_tasks = 0;       ///< room for what these hand out
};

/// @param blocks  that run at the same time  @param memory  bytes that are free
/// @throws BackendUnavailable if not even one block could run
PrefixPlan plan_prefixes(const ItemsetInput& input, std::uint32_t blocks, std::uint64_t memory);

}  // namespace atl::cuda
