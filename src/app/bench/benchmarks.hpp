// The benchmarks of `bench`.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "src/app/bench/record.hpp"
#include "src/app/bench/workload.hpp"
#include "src/core/experiment.hpp"
#include "src/core/report.hpp"

namespace atl {

/// Called with each record as soon as it is there.
using BenchSink = std::function<void(const BenchRecord&)>;

/// `machine` says how many threads there are; nothing else of it but the backend and the device's
/// memory matters. The sizes of Table 4 of Cano et al. 2013, or the one given.
void bench_interpreter(const Machine& machine, const std::optional<WorkloadSize>& size,
                       const BenchSink& sink);

/// The data sets of Table 5: poker hands are generated, others read from the folder `data`, if it
/// is not empty and has them.
/// @param rules  0: each number of the table
void bench_evaluation(const Machine& machine, std::uint32_t rules, std::uint32_t comparisons,
                      const std::string& data, const Report& report, const BenchSink& sink);

}  // namespace atl
