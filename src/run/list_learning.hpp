// Decision lists without a run: nothing is saved on the way.
#pragma once

#include "src/config/experiment.hpp"
#include "src/core/thread_pool.hpp"
#include "src/eval/device.hpp"
#include "src/results/list_front.hpp"

namespace atl {

/// The result of a job that learns from the table of a Resident, from beginning to end, on this
/// process alone. Blocking.
/// @throws UsageError if the class cannot be learnt
ListFront learn_list(const Experiment& experiment, Resident& resident, ThreadPool& pool);

}  // namespace atl
