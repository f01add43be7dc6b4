// Frequent itemsets level by level (Agrawal and Srikant 1994, "Fast algorithms for mining
// association rules").
#pragma once

#include <cstdint>

#include "src/core/thread_pool.hpp"
#include "src/exhaustive/levels/candidates.hpp"
#include "src/exhaustive/levels/itemset_levels.hpp"

namespace atl {

/// All frequent sets up to the greatest length, of any least length. Blocking. The pool's threads
/// make candidates.
/// @param bitmaps  of the items that are in at least `min_count` transactions
/// @param counter  of the same bitmaps
/// @param max_bytes  of the sets held, while a level grows, too; candidates take up to 300 MB
/// beside
/// @throws UsageError if they would take more
/// @throws what the counter throws
ItemsetLevels find_levels(const ItemBitmaps& bitmaps, const ItemsetLimits& limits,
                          CandidateCounter& counter, ThreadPool& pool, std::uint64_t max_bytes);

}  // namespace atl
