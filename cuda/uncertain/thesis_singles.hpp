// Single items, looked for by the host (Kozawa 2016, "k = 1 (CPU)").
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cuda/uncertain/thesis_pipeline.hpp"
#include "src/core/thread_pool.hpp"
#include "src/data/transactions/transaction_set.hpp"

namespace atl::cuda {

struct SingleItems {
  std::vector<std::uint32_t> counts;  ///< [items]
  std::vector<double> expected;       ///< [items] supports
  std::vector<bool> pruned;           ///< [items]
  std::vector<std::uint32_t> kept;    ///< those that are not, ascending
  std::vector<std::uint32_t> bits;    ///< [kept][words] inclists of 32 transactions a word
};

/// Scans the transactions twice: for counts and expected supports, then for the inclists of items
/// that are not pruned. The same for any number of threads. Blocking.
/// @param ranks  [names] of the transactions' items, from 0 on; others are left out
/// @param items  number of ranks
SingleItems find_single_items(const TransactionSet& transactions,
                              std::span<const std::uint32_t> ranks, std::uint32_t items,
                              const ThesisLeast& least, ThreadPool& pool);

}  // namespace atl::cuda
