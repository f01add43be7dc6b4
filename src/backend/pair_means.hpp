#pragma once

#include <optional>

#include "src/config/experiment.hpp"
#include "src/core/context.hpp"
#include "src/exhaustive/pairs/pair_search.hpp"

namespace atl {

/// Chooses what pairs are counted by: a GPU of each rank where one is asked for, or where the cores
/// would take long and the items have room there; else the cores. Says what counts. To be called,
/// it throws UsageError and BackendUnavailable. The arguments must outlive it.
ChoosePairMeans pair_means(const Machine& machine, std::optional<PairForm> form,
                           const Context& context);

}  // namespace atl
