#include "src/app/bench/benchmarks.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "src/app/backend.hpp"
#include "src/app/bench/published.hpp"
#include "src/app/generate/poker.hpp"
#include "src/app/run_data.hpp"

namespace atl {

namespace {

constexpr double seconds_each = 0.1;

/// The evaluator, and what measures it, on one dataset.
class Bench {
 public:
  Bench(std::string name, const Machine& machine, const std::optional<CoreRates>& core,
        const Dataset& dataset)
      : name_(std::move(name)),
        core_(core),
        dataset_(dataset),
        backend_(choose_backend(machine, {dataset.rows()}, alone_)),
        pool_(machine.threads),
        evaluator_(make_evaluator(backend_, dataset, pool_)) {}

  BenchRecord measure(std::uint32_t rule_count, std::uint32_t comparisons) {
    const auto attributes = dataset_.attributes();
    const std::vector<Rule> rules = workload_rules(attributes, rule_count, comparisons);
    BenchRecord record;
    record.bench = name_;
    record.backend = evaluator_->name();
    record.threads = record.backend == "cpu" ? pool_.threads() : 1;
    record.rows = dataset_.rows();
    record.attributes = static_cast<std::uint32_t>(attributes.size());
    record.rules = rule_count;
    record.symbols = symbols_of(comparisons);
    record.times = time_evaluation(*evaluator_, rules, attributes, seconds_each);
    if (core_ && record.backend == "cpu") {
      record.core = core_;
      record.bound = core_bound(rules, attributes, *core_) * record.threads;
    }
    return record;
  }

 private:
  std::string name_;
  const std::optional<CoreRates>& core_;
  const Dataset& dataset_;
  LocalCommunicator alone_;
  Backend backend_;
  ThreadPool pool_;
  std::unique_ptr<Evaluator> evaluator_;
};

std::optional<CoreRates> core_rates(const Machine& machine) {
  if (machine.backend != "auto" && machine.backend != "cpu") return std::nullopt;
  return measure_core_rates();
}

Dataset generate(const RowSource& source, std::uint64_t rows) {
  constexpr std::uint32_t partition_rows = 65536;
  const auto attributes = source.attributes();
  DatasetBuilder builder({attributes.begin(), attributes.end()}, partition_rows);
  std::vector<std::uint32_t> row(attributes.size());
  for (std::uint64_t first = 0; first < rows; first += partition_rows) {
    const std::uint64_t count = std::min<std::uint64_t>(partition_rows, rows - first);
    std::vector<std::vector<std::uint32_t>> columns(attributes.size());
    for (std::uint64_t r = 0; r < count; ++r) {
      source.make_row(first + r, row);
      for (std::size_t a = 0; a < row.size(); ++a) columns[a].push_back(row[a]);
    }
    builder.append(count,
                   std::vector<std::span<const std::uint32_t>>(columns.begin(), columns.end()));
  }
  return builder.finish({});
}

std::optional<Dataset> dataset_of(const PublishedDataset& published, const std::string& folder,
                                  const Report& report) {
  if (std::string(published.name) == "poker") return generate(PokerSource(1), published.rows);
  const auto path = std::filesystem::path(folder) / published.file;
  if (folder.empty() || *published.file == '\0' || !std::filesystem::exists(path)) return {};
  return read_data(path.string(), {}, report);
}

/// What a line of the tables has for a number of rules.
std::optional<PublishedFigures> figures_for(std::uint32_t rules,
                                            std::span<const PublishedFigures> line) {
  const auto found = std::find(published_rules.begin(), published_rules.end(), rules);
  if (found == published_rules.end()) return std::nullopt;
  return line[static_cast<std::size_t>(found - published_rules.begin())];
}

BenchRecord with_published_rate(BenchRecord record) {
  if (record.symbols != symbols_of(WorkloadSize().comparisons)) return record;
  for (const PublishedRates& line : published_rates()) {
    if (line.rows != record.rows) continue;
    if (const auto figures = figures_for(record.rules, line.rates)) {
      record.published = {"Cano et al. 2013, Table 4", "gpops_per_s", *figures};
    }
  }
  return record;
}

}  // namespace

void bench_interpreter(const Machine& machine, const std::optional<WorkloadSize>& size,
                       const BenchSink& sink) {
  const std::optional<CoreRates> core = core_rates(machine);
  const auto run = [&](const WorkloadSize& workload, std::span<const std::uint32_t> rules) {
    const Dataset dataset = workload_data(workload);
    Bench bench("interpreter", machine, core, dataset);
    for (const std::uint32_t number : rules) {
      sink(with_published_rate(bench.measure(number, workload.comparisons)));
    }
  };
  if (size) {
    run(*size, std::span(&size->rules, 1));
    return;
  }
  for (const PublishedRates& line : published_rates()) {
    WorkloadSize workload;
    workload.rows = line.rows;
    run(workload, published_rules);
  }
}

void bench_evaluation(const Machine& machine, std::uint32_t rules, std::uint32_t comparisons,
                      const std::string& data, const Report& report, const BenchSink& sink) {
  const std::optional<CoreRates> core = core_rates(machine);
  std::vector<std::uint32_t> numbers(published_rules.begin(), published_rules.end());
  if (rules != 0) numbers = {rules};
  for (const PublishedDataset& published : published_datasets()) {
    const std::optional<Dataset> dataset = dataset_of(published, data, report);
    std::optional<Bench> bench;
    if (dataset) bench.emplace("evaluation", machine, core, *dataset);
    for (const std::uint32_t number : numbers) {
      BenchRecord record;
      record.bench = "evaluation";
      record.rows = published.rows;
      record.attributes = published.attributes;
      record.rules = number;
      if (bench) {
        const auto attributes = static_cast<std::uint32_t>(dataset->attributes().size());
        record = bench->measure(number, std::min(comparisons, attributes));
      }
      record.dataset = published.name;
      if (const auto figures = figures_for(number, published.seconds)) {
        record.published = {"Cano et al. 2013, Table 5", "seconds", *figures};
      }
      sink(record);
    }
  }
}

}  // namespace atl
