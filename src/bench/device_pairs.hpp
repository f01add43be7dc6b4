#pragma once

#include <vector>

#include "cuda/device/device.hpp"
#include "src/bench/table.hpp"
#include "src/core/thread_pool.hpp"
#include "src/exhaustive/pairs/pair_rows.hpp"

namespace atl {

/// Counts all pairs on a GPU that holds the items, a band after the other, as one thread sees it,
/// by each form but lists: the best of a few runs. `wall_seconds` are of kernels, copies of all
/// counts to pinned memory, and what comes behind on the host. Blocking.
/// @param logic  operations a second that the device does on words, of which comparing four entries
///               of BatMaps takes 6
/// @return without machine and threads
/// @throws BackendUnavailable; InternalError if forms count differently
std::vector<Record> resident_records(const PairRows& rows, ThreadPool& pool,
                                     const cuda::DeviceOptions& options, double logic);

}  // namespace atl
