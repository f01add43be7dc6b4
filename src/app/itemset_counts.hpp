#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/core/context.hpp"
#include "src/core/thread_pool.hpp"
#include "src/data/transaction_set.hpp"
#include "src/exhaustive/itemset_output.hpp"

namespace atl {

/// What counts itemsets.
struct ItemsetMachine {
  std::string backend = "auto";     ///< auto, cpu or cuda; of apriori reference, too
  unsigned threads = 1;             ///< of the cores
  std::uint64_t device_memory = 0;  ///< bytes of a GPU's memory at most; 0: what is free
};

/// As count_itemsets(). The cores alone look for closed and maximal ones. "auto" lets the cores
/// begin. If they are not done after `seconds_of_cores_alone`, it has the first GPU, if there is
/// one that can, search beside them from the start, and takes the counts of whichever is done
/// first. Reports what of a GPU was used.
/// @throws BackendUnavailable for "cuda"
std::vector<std::uint64_t> count_itemsets_on(const ItemsetMachine& machine,
                                             const TransactionSet& transactions,
                                             const ItemsetLimits& limits, ThreadPool& pool,
                                             const Report& report);

/// About as long as it takes to open a GPU and to give it the transactions.
inline constexpr double seconds_of_cores_alone = 0.5;

}  // namespace atl
