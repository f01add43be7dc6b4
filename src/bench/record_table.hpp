// Lines for people: rates are in 10^9 symbols times rows a second, medians but for the best raw
// one, those published beside ours.
#pragma once

#include <string>

#include "src/bench/record.hpp"

namespace atl {

enum class BenchTable {
  rates,         ///< of any backend
  device_rates,  ///< of CUDA, by the wall and by the device's events, and the published pipeline's
  concurrency,
};

/// What a GPU was measured to do.
std::string device_rates_text(const cuda::DeviceRates& rates);

std::string bench_table_head(BenchTable table, bool datasets);
std::string bench_table_line(BenchTable table, const BenchRecord& record);
/// What stands under it; may be empty.
std::string bench_table_end(BenchTable table);

}  // namespace atl
