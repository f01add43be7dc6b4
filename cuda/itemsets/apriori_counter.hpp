// Candidates of the level-wise search, counted on a GPU.
#pragma once

#include <memory>

#include "cuda/device/device.hpp"
#include "src/exhaustive/levels/candidates.hpp"

namespace atl::cuda {

class AprioriCounter : public CandidateCounter {
 public:
  /// What the kernels of the last call took, by the device's events.
  virtual double kernel_seconds() const = 0;
};

/// On the calling thread, which alone may use it. Holds the columns on the device. The bitmaps must
/// outlive it.
/// @throws BackendUnavailable if this program was built without CUDA, the device does not answer,
///         or its memory does not suffice
std::unique_ptr<AprioriCounter> make_apriori_counter(const ItemBitmaps& bitmaps,
                                                     const DeviceOptions& options = {});

}  // namespace atl::cuda
