#pragma once

#include <cstdint>

#include "cuda/device/device.hpp"
#include "src/bench/table.hpp"
#include "src/core/thread_pool.hpp"
#include "src/exhaustive/pairs/pair_counter.hpp"

namespace atl {

/// All pairs counted on a GPU that holds the items, a band after the other, as one thread sees it:
/// the best of a few runs.
struct DevicePairs {
  double build_seconds = 0;   ///< of the form, and its way to the device
  double kernel_seconds = 0;  ///< by the device's events
  double copy_seconds = 0;    ///< of all counts to pinned memory, likewise
  double wall_seconds = 0;    ///< of all, with what comes behind on the host
  std::uint64_t sum = 0;      ///< of the counts of all pairs
};

/// Blocking. @param form  not lists. @throws BackendUnavailable
DevicePairs count_on_device(PairForm form, const PairRows& rows, ThreadPool& pool,
                            const cuda::DeviceOptions& options);

/// @param logic  operations a second that the device does on words, of which comparing four entries
///               of BatMaps takes 6
Record resident_record(const DevicePairs& pairs, PairForm form, const PairRows& rows, double logic);

}  // namespace atl
