// Pairs of items counted on a GPU.
#pragma once

#include <cstdint>
#include <memory>

#include "cuda/device/device.hpp"
#include "src/core/thread_pool.hpp"
#include "src/exhaustive/pairs/batmap.hpp"
#include "src/exhaustive/pairs/pair_counter.hpp"

namespace atl::cuda {

class DevicePairCounter : public PairCounter {
 public:
  /// Seconds of the last call's kernels, by the device's events, and of copying its counts to
  /// pinned memory. Of the thread that called last.
  virtual double kernel_seconds() const = 0;
  virtual double copy_seconds() const = 0;
};

/// Makes a counter that holds the items on the device. `bitmap` counts by AND and popcount,
/// `product` by tensor cores, which multiply bits. The arguments must outlive it.
/// @param columns  that rectangles reach, from rank 0 on
/// @param moves    of an insertion into a BatMap, at most
/// @return null for lists
/// @throws BackendUnavailable if this program was built without CUDA, the device does not answer,
///         or its memory does not suffice
std::unique_ptr<DevicePairCounter> make_pair_counter(PairForm form, const PairRows& rows,
                                                     std::uint32_t columns, ThreadPool& pool,
                                                     const DeviceOptions& options = {},
                                                     unsigned moves = batmap_moves);

}  // namespace atl::cuda
