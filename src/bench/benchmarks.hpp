// The benchmarks of `bench`.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "src/bench/dataset_bench.hpp"
#include "src/bench/workload.hpp"
#include "src/core/report.hpp"

namespace atl {

/// Called with each record as soon as it is there.
using BenchSink = std::function<void(const BenchRecord&)>;

/// Before a benchmark reads data, which may take long.
/// @throws BackendUnavailable
void expect_available(const BenchMachine& machine);

/// The sizes of Table 4 of Cano et al. 2013, or the one given. An unavailable backend throws before
/// anything reaches the sink, here and below.
/// @param workload  rows and rules matter only if it is the one size
void bench_interpreter(const BenchMachine& machine, const Workload& workload, bool one_size,
                       const BenchSink& sink);

/// The data sets of Table 5: poker hands are generated, others read from the folder `data`, if it
/// is not empty and has them.
/// @param rules  0: each number of the table
void bench_evaluation(const BenchMachine& machine, std::uint32_t rules, std::uint32_t comparisons,
                      const std::string& data, const Report& report, const BenchSink& sink);

/// What Table 6 is of: stages, transfers, and how much is gained by overlapping them.
void bench_concurrency(const BenchMachine& machine, const Workload& workload,
                       const BenchSink& sink);

}  // namespace atl
