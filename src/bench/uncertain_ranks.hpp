// How long distributions take by their rank: Kozawa 2016, Figure 3.12.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "cuda/device/device.hpp"
#include "src/bench/table.hpp"
#include "src/core/thread_pool.hpp"
#include "src/exhaustive/uncertain/support_meter.hpp"

namespace atl {

/// What is measured by rank, all on the same transactions.
struct RankBench {
  std::uint32_t rows;           ///< transactions
  std::uint32_t distributions;  ///< of each rank
  std::uint64_t repeats;        ///< of which the best counts
  ThreadPool& pool;
  /// Makes the meter that the cores are compared with; none: cores alone.
  std::function<std::unique_ptr<SupportMeter>(const UncertainColumns&)> make_device_meter = {};
  /// Measures the thesis' way, on a device. None: it is left out.
  std::optional<cuda::DeviceOptions> thesis = {};
};

/// A record for each rank from 4 up to the greatest that so many transactions have, with the
/// seconds of a distribution, from bits of transactions to the tail. Blocking. @param add  takes
/// each as soon as it is there, with figure, rank and seconds alone
void measure_ranks(const RankBench& bench, const std::function<void(Record)>& add);

/// The lowest rank from which on one of two is always the faster, where both were measured.
/// @param records  by ascending rank @param faster, slower  keys of seconds
/// @return none if it is not so at the last
std::optional<std::uint32_t> crossing(const std::vector<Record>& records, const char* faster,
                                      const char* slower);

}  // namespace atl
