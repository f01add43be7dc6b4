// Options of the benchmarks that draw rules and tables.
#pragma once

#include <string>
#include <vector>

#include "src/bench/benchmark.hpp"
#include "src/bench/workload.hpp"

namespace atl {

/// Sizes of a table: --rows, --attributes and --planes.
std::vector<Axis> table_axes(const std::string& rows);
/// Adds the number, size and shape of rules.
/// @param comparisons  of a rule, or as many as there are attributes
std::vector<Axis> workload_axes(const std::string& rows, const std::string& rules,
                                const std::string& comparisons = "15");
/// Adds --pipeline to them; there are 200 rules.
std::vector<Axis> pipeline_axes(const std::string& rows);
Axis rules_axis(const std::string& rules);
Axis comparisons_axis(const std::string& comparisons = "15");
/// The option --pipeline, which machine_of() reads.
Axis pipeline_axis();

/// Reads the axes of these that the benchmark has. @throws UsageError
Workload workload_of(const BenchState& state);
/// The machine of the state, with the pipeline that is chosen. @throws UsageError
BenchMachine machine_of(const BenchState& state);

}  // namespace atl
