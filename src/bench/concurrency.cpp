#include "src/bench/benchmarks.hpp"
#include "src/bench/rule_options.hpp"
#include "src/bench/rule_tables.hpp"

namespace atl {
namespace {

void run_concurrency(const BenchState& state) {
  const BenchMachine machine = machine_of(state);
  const Workload workload = workload_of(state);
  MachineRates rates;
  const Dataset dataset = workload_data(workload);
  DatasetBench bench("concurrency", "", machine, rates, dataset);
  for (Record& record : bench.measure_concurrency(workload)) state.add(std::move(record));
}

}  // namespace

Benchmark concurrency_benchmark() {
  return {.name = "concurrency",
          .measures = "stages and transfers of a batch of rules, and how they overlap",
          .published = "Cano et al. 2013, Table 6",
          .refuses = "draws a table and rules, and counts them",
          .axes = pipeline_axes("2500"),
          .tables = [](const BenchMachine&) { return concurrency_tables(); },
          .run = run_concurrency};
}

}  // namespace atl
