#include <algorithm>
#include <optional>
#include <vector>

#include "src/bench/benchmarks.hpp"
#include "src/bench/rule_options.hpp"
#include "src/bench/rule_tables.hpp"
#include "src/bench/workload.hpp"

namespace atl {
namespace {

/// The record of a data set that is not there.
Record record_without_data(const PublishedDataset& published, std::uint32_t rules) {
  return {
      {"bench", "evaluation"},  {"machine", machine_description({})}, {"dataset", published.name},
      {"rows", published.rows}, {"attributes", published.attributes}, {"rules", rules},
      {"data", "no data"}};
}

/// The data sets of Table 5: poker hands are generated, others read if they are there.
void run_evaluation(const BenchState& state) {
  const BenchMachine machine = machine_of(state);
  std::vector<std::uint32_t> numbers(published_rules.begin(), published_rules.end());
  if (state.is_given("--rules")) numbers = {state.small_number("--rules")};
  const std::uint32_t comparisons = state.small_number("--comparisons");
  expect_available(machine);
  MachineRates rates;
  for (const PublishedDataset& published : published_datasets()) {
    const std::optional<Dataset> dataset =
        bench_data(published.name, published.file, published.rows, state.data, state.report);
    std::optional<DatasetBench> bench;
    if (dataset) bench.emplace("evaluation", published.name, machine, rates, *dataset);
    for (const std::uint32_t number : numbers) {
      Workload workload;
      workload.rules = number;
      if (dataset) {
        workload.comparisons =
            std::min(comparisons, static_cast<std::uint32_t>(dataset->attributes().size()));
      }
      Record record = bench ? bench->measure(workload) : record_without_data(published, number);
      if (const auto figures = figures_for(number, published.seconds)) {
        add_published(record, "Cano et al. 2013, Table 5", "seconds", *figures);
      }
      state.add(std::move(record));
    }
  }
}

}  // namespace

Benchmark evaluation_benchmark() {
  return {
      .name = "evaluation",
      .measures = "the same on data sets: poker hands, and those that are in the folder ATOLL_DATA",
      .published = "Cano et al. 2013, Table 5",
      .refuses = "takes data sets and rules as in the paper",
      .axes = {rules_axis("25, 50, 100, 200"), comparisons_axis(), pipeline_axis()},
      .tables =
          [](const BenchMachine& machine) {
            return std::vector<Table>{rates_table(machine, "data", true)};
          },
      .run = run_evaluation};
}

}  // namespace atl
