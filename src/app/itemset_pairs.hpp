#pragma once

#include "src/app/itemset_options.hpp"
#include "src/core/context.hpp"
#include "src/exhaustive/itemsets/itemset_task.hpp"

namespace atl {

/// `itemsets --algorithm pairs`. Collective.
/// @param parts  of a task for sets, which pairs are listed or counted as
ExitStatus count_pairs(const ItemsetsOptions& options, const ItemsetsSettings& settings,
                       ItemsetTaskParts parts, const TaskJob& job, const Context& context);

}  // namespace atl
