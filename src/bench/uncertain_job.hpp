// A whole search for probabilistic itemsets, watched: how long its steps take, and what its
// candidates are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/core/thread_pool.hpp"
#include "src/data/transactions/transaction_set.hpp"
#include "src/exhaustive/uncertain/tail_judge.hpp"
#include "src/exhaustive/uncertain/uncertain_columns.hpp"
#include "src/exhaustive/uncertain/uncertain_search.hpp"

namespace atl {

struct UncertainJob {
  /// Items that may be frequent, by rank: what the candidates' ranks mean.
  std::vector<std::uint32_t> items;
  /// If they are kept: all sets of 2 items, of 3, and so on that were looked at, infrequent ones
  /// included.
  std::vector<RankedSets> candidates;
  std::vector<std::uint64_t> frequent;  ///< sets of 1 item, of 2, ...
  JudgedSets judged;
  double count_seconds = 0;  ///< of counting candidates
  double sum_seconds = 0;    ///< of summing up probabilities of those that are left
  double tail_seconds = 0;   ///< of distributions
  double wall_seconds = 0;   ///< in all, from transactions in memory on

  std::uint64_t sets() const noexcept;  ///< frequent ones
};

/// Runs the search. Blocking. All arguments must outlive the call.
/// @param make_means  as UncertainSearch takes it
/// @param keeps  the candidates, which takes time
/// @throws DeviceFailed
UncertainJob run_uncertain_job(const TransactionSet& transactions, const UncertainLimits& limits,
                               const MakeUncertainMeans& make_means, ThreadPool& pool, bool keeps);

}  // namespace atl
