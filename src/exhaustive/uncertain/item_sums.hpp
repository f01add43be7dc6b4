// Which items can be frequent with a probability, before any columns are made.
#pragma once

#include <cstdint>
#include <vector>

#include "src/core/thread_pool.hpp"
#include "src/data/transactions/transaction_set.hpp"
#include "src/exhaustive/uncertain/cover_sums.hpp"
#include "src/exhaustive/uncertain/tail_judge.hpp"

namespace atl {

/// [items] the sums of each item's transactions, without hashes.
std::vector<CoverSums> sum_items(const TransactionSet& transactions, ThreadPool& pool);

/// The items that no bound proves to be infrequent, by rank: in descending order of their numbers
/// of transactions, the lower number first among equals.
std::vector<std::uint32_t> likely_items(const TransactionSet& transactions,
                                        const UncertainLimits& limits, ThreadPool& pool);

}  // namespace atl
