// Learns a decision list without a run.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "src/config/experiment.hpp"
#include "src/core/thread_pool.hpp"
#include "src/eval/device.hpp"
#include "src/results/written/list_figures.hpp"

namespace atl {

/// The result of a search, and how it has ended.
struct LearntFront {
  ListFront front;
  std::uint32_t generations = 0;
  bool gaining = false;  ///< with patience: might more of them bring more?
};

/// The result of a job that learns from the table of a Resident, from beginning to end, on this
/// process alone. Blocking.
/// @param stop  asked every few generations
/// @return nothing if it was stopped
/// @throws UsageError if the class cannot be learnt
std::optional<LearntFront> learn_list(const Experiment& experiment, Resident& resident,
                                      ThreadPool& pool, const std::function<bool()>& stop);

}  // namespace atl
