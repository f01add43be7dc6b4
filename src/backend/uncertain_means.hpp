// What the search for probabilistic itemsets counts and computes with.
#pragma once

#include "src/core/context.hpp"
#include "src/exhaustive/uncertain/uncertain_task.hpp"
#include "src/run/machine/backend.hpp"

namespace atl {

/// Cores, the reference, or each rank's GPU. Both arguments must outlive it.
ChooseUncertainMeans uncertain_means(const Machine& machine, const Context& context);

}  // namespace atl
