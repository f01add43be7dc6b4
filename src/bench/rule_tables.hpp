// Tables of rules that were counted: rates are in 10^9 symbols times rows a second, medians but for
// the best raw one.
#pragma once

#include <vector>

#include "src/bench/dataset_bench.hpp"
#include "src/bench/table.hpp"

namespace atl {

/// Rates of any backend. With `--backend cuda` they are by the wall and by the device's events, and
/// the published pipeline's stand beside them.
/// @param first  heading of the data sets
/// @param published_seconds  published figures are seconds, not rates
Table rates_table(const BenchMachine& machine, const char* first, bool published_seconds);

/// Stages, transfers and their overlap, and the line of the paper.
std::vector<Table> concurrency_tables();

}  // namespace atl
