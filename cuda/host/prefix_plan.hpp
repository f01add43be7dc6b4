// Fits a search for frequent itemsets to the memory of a device.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda/host/itemset_input.hpp"

namespace atl::cuda {

struct PrefixPlan {
  std::uint32_t blocks = 0;
  std::uint32_t node_items = 0;    ///< of a node that is not cut into tasks
  std::uint32_t tally_copies = 0;  ///< of the numbers of sets
  std::size_t task_words = 0;      ///< of a task
  std::size_t tasks = 0;           ///< of a launch
  std::size_t new_tasks = 0;       ///< room for what these hand out
};

/// @param blocks  that run at the same time  @param memory  bytes that are free
/// @throws BackendUnavailable if not even one block could run
PrefixPlan plan_prefixes(const ItemsetInput& input, std::uint32_t blocks, std::uint64_t memory);

}  // namespace atl::cuda
