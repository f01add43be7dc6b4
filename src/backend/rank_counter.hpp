#pragma once

#include "src/config/experiment.hpp"
#include "src/core/communicator.hpp"
#include "src/core/report.hpp"
#include "src/data/transactions/transaction_set.hpp"
#include "src/exhaustive/itemsets/itemset_task.hpp"

namespace atl {

/// The counter of this rank's GPU, prepared for the limits. Says what counts. Collective.
/// @throws BackendUnavailable on all ranks if one has none
NamedCounter counter_of_rank(const Machine& machine, const TransactionSet& transactions,
                             const ItemsetLimits& limits, Communicator& ranks,
                             const Report& report);

}  // namespace atl
