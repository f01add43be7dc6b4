// All frequent itemsets of transactions.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string_view>
#include <vector>

#include "src/core/thread_pool.hpp"
#include "src/data/transactions/itemset_sink.hpp"
#include "src/data/transactions/transaction_set.hpp"
#include "src/exhaustive/itemsets/itemset_output.hpp"
#include "src/work/write_text.hpp"

namespace atl {

/// What is left of numbers of sets by length where only some lengths are asked for, without zeros
/// behind the last.
std::vector<std::uint64_t> asked_lengths(std::vector<std::uint64_t> sets,
                                         const ItemsetLimits& limits);

/// [longest length + 1] numbers of frequent sets by length, the empty set never among them; a
/// number that 64 bits cannot hold is 2^64 - 1. Blocking, on the threads of the pool.
/// @throws SearchStopped (shared_search.hpp) soon after somebody asked to stop
std::vector<std::uint64_t> count_itemsets(const TransactionSet& transactions,
                                          const ItemsetLimits& limits, ThreadPool& pool,
                                          const std::stop_token& stop = {});

/// Hands each frequent set to the sink. Items have ranks: 0 is the most frequent one, and of
/// equally frequent ones that with the lower number comes first. A set is added from its highest
/// rank to its lowest, and sets come in the lexicographic order of these sequences, a set before
/// those that begin with it. Blocking, one thread.
/// @throws whatever the sink throws
void list_itemsets(const TransactionSet& transactions, const ItemsetLimits& limits,
                   ItemsetSink& sink);

using MakeItemsetText = std::function<std::unique_ptr<ItemsetText>(WriteText write)>;

}  // namespace atl
