#pragma once

#include <cstdint>
#include <memory>

#include "src/eval/device.hpp"

namespace atl::cuda {

/// Options for the use of a GPU.
struct DeviceOptions {
  int device = 0;            ///< number of the device among those that this process sees
  std::uint64_t memory = 0;  ///< bytes of the device's memory at most; 0: what is free
  /// Coverage and reduction one after the other, with words in device memory between them, to be
  /// tested and timed apart; else fused.
  bool in_stages = false;
};

/// The calling thread loads tables and makes their services; any thread can use a service.
/// @throws BackendUnavailable if this program was built without it or the device does not answer
std::shared_ptr<Device> make_device(const DeviceOptions& options);

}  // namespace atl::cuda
