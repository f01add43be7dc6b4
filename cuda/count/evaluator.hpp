#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "src/eval/evaluator.hpp"

namespace atl::cuda {

/// What an evaluator may use.
struct DeviceOptions {
  int device = 0;            ///< number of the device among those that this process sees
  std::uint64_t memory = 0;  ///< bytes of the device's memory at most; 0: what is free
  /// Coverage and reduction one after the other, with words in device memory between them, to be
  /// tested and timed apart; else fused.
  bool in_stages = false;
};

/// By the device's own clock.
struct DeviceSeconds {
  double coverage = 0;   ///< in stages only
  double reduction = 0;  ///< likewise
  double total = 0;
};

/// The calling thread makes its batches; any thread can start and finish them.
/// @throws BackendUnavailable if this program was built without it or the device does not answer
std::unique_ptr<Evaluator> make_evaluator(const Dataset& dataset, const DeviceOptions& options);

/// Whether an evaluator of make_evaluator() takes the time of its kernels, some microseconds a
/// batch more; off at first. Does nothing to another's.
void time_batches(Evaluator& evaluator, bool on);
/// What the kernels of the batch waited for last took on the device, by its own clock. None if
/// batches are not timed or nothing was counted. @pre no other batch was in flight
std::optional<DeviceSeconds> last_device_seconds(const Evaluator& evaluator);

}  // namespace atl::cuda
