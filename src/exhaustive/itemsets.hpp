// All frequent itemsets of transactions.
#pragma once

#include <cstdint>
#include <vector>

#include "src/data/itemset_sink.hpp"
#include "src/data/transaction_set.hpp"
#include "src/exhaustive/itemset_output.hpp"

namespace atl {

/// [longest length + 1] numbers of frequent sets by length, the empty set never among them; a
/// number that 64 bits cannot hold is 2^64 - 1. Blocking, one thread.
std::vector<std::uint64_t> count_itemsets(const TransactionSet& transactions,
                                          const ItemsetLimits& limits);

/// Hands each frequent set to the sink. Items have ranks: 0 is the most frequent one, and of
/// equally frequent ones that with the lower number comes first. A set is added from its highest
/// rank to its lowest, and sets come in the lexicographic order of these sequences, a set before
/// those that begin with it. Blocking, one thread.
/// @throws whatever the sink throws
void list_itemsets(const TransactionSet& transactions, const ItemsetLimits& limits,
                   ItemsetSink& sink);

}  // namespace atl
