// Decision lists without a run: nothing is saved on the way.
#pragma once

#include <functional>
#include <optional>

#include "src/config/experiment.hpp"
#include "src/core/thread_pool.hpp"
#include "src/eval/device.hpp"
#include "src/results/written/list_front.hpp"

namespace atl {

/// The result of a job that learns from the table of a Resident, from beginning to end, on this
/// process alone. Blocking.
/// @param stop  asked every few generations
/// @return nothing if it was stopped
/// @throws UsageError if the class cannot be learnt
std::optional<ListFront> learn_list(const Experiment& experiment, Resident& resident,
                                    ThreadPool& pool, const std::function<bool()>& stop);

}  // namespace atl
