#include "src/bench/benchmarks.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "src/bench/bench_data.hpp"
#include "src/bench/published.hpp"

namespace atl {

namespace {

/// What a line of the tables has for a number of rules.
std::optional<PublishedFigures> figures_for(std::uint32_t rules,
                                            std::span<const PublishedFigures> line) {
  const auto found = std::find(published_rules.begin(), published_rules.end(), rules);
  if (found == published_rules.end()) return std::nullopt;
  return line[static_cast<std::size_t>(found - published_rules.begin())];
}

/// Of Table 4, whose rules are one-sided and of 58 symbols.
BenchRecord with_published_rate(BenchRecord record) {
  if (record.symbols != symbols_of(Workload().comparisons)) return record;
  if (record.drawn->shape != RuleShape::one_sided || record.drawn->shared > 0) return record;
  for (const PublishedRates& line : published_rates()) {
    if (line.rows != record.rows) continue;
    if (const auto figures = figures_for(record.rules, line.rates)) {
      record.published = {"Cano et al. 2013, Table 4", "gpops_per_s", *figures};
    }
  }
  return record;
}

}  // namespace

void expect_available(const BenchMachine& machine) {
  Workload smallest;
  smallest.rows = 1;
  const Dataset dataset = workload_data(smallest);
  ThreadPool pool(1);
  machine.choose_backend(machine, dataset.rows()).backend->load(dataset, pool);
}

void bench_interpreter(const BenchMachine& machine, const Workload& workload, bool one_size,
                       const BenchSink& sink) {
  MachineRates rates;
  const auto run = [&](Workload size, std::span<const std::uint32_t> rules) {
    const Dataset dataset = workload_data(size);
    DatasetBench bench(machine, rates, dataset);
    for (const std::uint32_t number : rules) {
      size.rules = number;
      BenchRecord record = bench.measure(size);
      record.bench = "interpreter";
      record.drawn = size;
      sink(with_published_rate(std::move(record)));
    }
  };
  if (one_size) {
    run(workload, std::span(&workload.rules, 1));
    return;
  }
  for (const PublishedRates& line : published_rates()) {
    Workload size = workload;
    size.rows = line.rows;
    run(size, published_rules);
  }
}

void bench_evaluation(const BenchMachine& machine, std::uint32_t rules, std::uint32_t comparisons,
                      const std::string& data, const Report& report, const BenchSink& sink) {
  expect_available(machine);
  MachineRates rates;
  std::vector<std::uint32_t> numbers(published_rules.begin(), published_rules.end());
  if (rules != 0) numbers = {rules};
  for (const PublishedDataset& published : published_datasets()) {
    const std::optional<Dataset> dataset =
        bench_data(published.name, published.file, published.rows, data, report);
    std::optional<DatasetBench> bench;
    if (dataset) bench.emplace(machine, rates, *dataset);
    for (const std::uint32_t number : numbers) {
      BenchRecord record;
      record.rows = published.rows;
      record.attributes = published.attributes;
      record.rules = number;
      if (bench) {
        Workload workload;
        workload.rules = number;
        workload.comparisons =
            std::min(comparisons, static_cast<std::uint32_t>(dataset->attributes().size()));
        record = bench->measure(workload);
      }
      record.bench = "evaluation";
      record.dataset = published.name;
      if (const auto figures = figures_for(number, published.seconds)) {
        record.published = {"Cano et al. 2013, Table 5", "seconds", *figures};
      }
      sink(record);
    }
  }
}

void bench_concurrency(const BenchMachine& machine, const Workload& workload,
                       const BenchSink& sink) {
  MachineRates rates;
  const Dataset dataset = workload_data(workload);
  DatasetBench bench(machine, rates, dataset);
  for (BenchRecord& record : bench.measure_concurrency(workload)) {
    record.bench = "concurrency";
    record.drawn = workload;
    sink(record);
  }
}

}  // namespace atl
