#pragma once

#include <cstdint>
#include <memory>

#include "src/eval/evaluator.hpp"

namespace atl::cuda {

/// What an evaluator may use.
struct DeviceOptions {
  int device = 0;            ///< number of the device among those that this process sees
  std::uint64_t memory = 0;  ///< bytes of the device's memory at most; 0: what is free
};

/// On the calling thread, which alone may use it.
/// @throws BackendUnavailable if this program was built without it or the device does not answer
std::unique_ptr<Evaluator> make_evaluator(const Dataset& dataset, const DeviceOptions& options);

}  // namespace atl::cuda
