// The table of benchmarks.
#pragma once

#include <string>
#include <vector>

#include "src/bench/benchmark.hpp"

namespace atl {

/// All of them, in the order of the help.
const std::vector<Benchmark>& benchmarks();
/// @throws UsageError with the nearest names, or all of them
const Benchmark& benchmark_of(const std::string& name);
/// "interpreter, evaluation or team"
std::string any_of_names(const std::vector<std::string>& names);
std::vector<std::string> benchmark_names();

// One in each file:

Benchmark interpreter_benchmark();
Benchmark evaluation_benchmark();
Benchmark concurrency_benchmark();
Benchmark pittsburgh_benchmark();
Benchmark apriori_benchmark();
Benchmark itemsets_benchmark();
Benchmark pairs_benchmark();
Benchmark uncertain_benchmark();
Benchmark fits_benchmark();
Benchmark rates_benchmark();
Benchmark scaling_benchmark();
Benchmark team_benchmark();

}  // namespace atl
