#pragma once

#include <optional>

#include "src/config/experiment.hpp"
#include "src/core/communicator.hpp"
#include "src/core/report.hpp"
#include "src/core/thread_pool.hpp"
#include "src/exhaustive/pairs/pair_search.hpp"

namespace atl {

/// What pairs are counted by: a GPU of each rank where one is asked for, or where the cores would
/// take long and all forms but lists have room there; else the cores. Says what counts. Collective.
/// @throws UsageError, BackendUnavailable
PairMeans choose_pair_means(const Machine& machine, std::optional<PairForm> form,
                            const PairRows& rows, Communicator& ranks, const Report& report);

}  // namespace atl
