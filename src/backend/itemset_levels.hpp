// The search for itemsets level by level, on the backend that is chosen.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "src/config/experiment.hpp"
#include "src/core/memory_limit.hpp"
#include "src/core/report.hpp"
#include "src/core/thread_pool.hpp"
#include "src/data/transactions/transaction_set.hpp"
#include "src/exhaustive/levels/candidates.hpp"

namespace atl {

/// Says on what it counts. @throws BackendUnavailable
std::unique_ptr<CandidateCounter> candidate_counter(const ItemBitmaps& bitmaps,
                                                    const Machine& machine, ThreadPool& pool,
                                                    const Report& report);

/// All sets, for rules. Says on what it counts. Blocking.
/// @throws UsageError if bit columns or sets take more than the memory limit leaves
/// @throws BackendUnavailable, DeviceFailed
ItemsetLevels search_levels(const TransactionSet& transactions, const ItemsetLimits& limits,
                            const Machine& machine, const MemoryLimit& memory, ThreadPool& pool,
                            const Report& report);

}  // namespace atl
