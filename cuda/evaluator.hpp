#pragma once

#include <memory>
#include <optional>

#include "src/eval/evaluator.hpp"

namespace atl::cuda {

/// @throws BackendUnavailable if this program was built without it or no device answers
std::unique_ptr<Evaluator> make_evaluator(const Dataset& dataset);

/// Whether an evaluator of make_evaluator() takes the time of its kernels, some microseconds a
/// batch more; off at first. Does nothing to another's.
void time_batches(Evaluator& evaluator, bool on);
/// What the kernels of the batch waited for last took on the device, by its own clock. None if
/// batches are not timed or nothing was counted.
std::optional<double> last_device_seconds(const Evaluator& evaluator);

}  // namespace atl::cuda
