#include <span>

#include "src/bench/benchmarks.hpp"
#include "src/bench/rule_options.hpp"
#include "src/bench/rule_tables.hpp"

namespace atl {
namespace {

/// Adds what Table 4 has for the size. Its rules are one-sided and of 58 symbols.
Record with_published_rate(Record record, const Workload& size) {
  if (record["symbols"] != symbols_of(Workload().comparisons)) return record;
  if (size.shape != RuleShape::one_sided || size.shared > 0) return record;
  for (const PublishedRates& line : published_rates()) {
    if (line.rows != size.rows) continue;
    if (const auto figures = figures_for(size.rules, line.rates)) {
      add_published(record, "Cano et al. 2013, Table 4", "gpops_per_s", *figures);
    }
  }
  return record;
}

/// The sizes of Table 4, or the one that options give.
void run_interpreter(const BenchState& state) {
  const BenchMachine machine = machine_of(state);
  const Workload workload = workload_of(state);
  MachineRates rates;
  const auto measure = [&](Workload size, std::span<const std::uint32_t> rules) {
    const Dataset dataset = workload_data(size);
    DatasetBench bench("interpreter", "", machine, rates, dataset);
    for (const std::uint32_t number : rules) {
      size.rules = number;
      state.add(with_published_rate(bench.measure(size), size));
    }
  };
  bool one_size = false;
  for (const char* option : {"--rows", "--rules", "--comparisons", "--attributes", "--planes"}) {
    one_size = one_size || state.is_given(option);
  }
  if (one_size) {
    measure(workload, std::span(&workload.rules, 1));
    return;
  }
  for (const PublishedRates& line : published_rates()) {
    Workload size = workload;
    size.rows = line.rows;
    measure(size, published_rules);
  }
}

}  // namespace

Benchmark interpreter_benchmark() {
  return {.name = "interpreter",
          .measures = "counting rules on drawn tables, of many sizes or of one that options give",
          .published = "Cano et al. 2013, Table 4",
          .refuses = "draws tables and rules, and counts them",
          .axes = pipeline_axes("1000000"),
          .tables =
              [](const BenchMachine& machine) {
                return std::vector<Table>{rates_table(machine, "", false)};
              },
          .run = run_interpreter};
}

}  // namespace atl
