// Supports of sets of items, in transactions that exist with a probability, on a GPU.
#pragma once

#include <memory>

#include "cuda/device/device.hpp"
#include "src/exhaustive/uncertain/support_meter.hpp"

namespace atl::cuda {

class DeviceSupportMeter : public SupportMeter {
 public:
  /// Seconds of the last call's kernels, by the device's events.
  virtual double kernel_seconds() const = 0;
};

/// Makes a meter for the calling thread, which alone may use it. Holds the columns on the device.
/// They must outlive it.
/// @throws BackendUnavailable if this program was built without CUDA, the device does not answer,
///         or its memory does not suffice
std::unique_ptr<DeviceSupportMeter> make_device_support_meter(const UncertainColumns& columns,
                                                              const DeviceOptions& options = {});

}  // namespace atl::cuda
