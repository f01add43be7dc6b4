#include "src/app/bench/benchmarks.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <vector>

#include "cuda/evaluator.hpp"
#include "io/dataset_file.hpp"
#include "src/app/bench/published.hpp"
#include "src/app/generate/poker.hpp"
#include "src/app/run_data.hpp"
#include "src/app/temporary_folder.hpp"

namespace atl {

namespace {

constexpr double seconds_each = 0.1;

/// The evaluator, and what measures it, on one dataset.
class Bench {
 public:
  Bench(std::string name, const BenchMachine& machine, const std::optional<CoreRates>& core,
        const Dataset& dataset)
      : name_(std::move(name)), core_(core), dataset_(dataset), pool_(machine.threads) {
    if (machine.backend == "reference") evaluator_ = make_reference_evaluator(dataset);
    if (machine.backend == "cuda") evaluator_ = cuda::make_evaluator(dataset);
    if (machine.backend == "cpu") evaluator_ = make_cpu_evaluator(dataset, pool_);
  }

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
    if (core_) {
      record.core = core_;
      record.bound = core_bound(rules, attributes, *core_) * record.threads;
    }
    return record;
  }

 private:
  std::string name_;
  const std::optional<CoreRates>& core_;
  const Dataset& dataset_;
  ThreadPool pool_;
  std::unique_ptr<Evaluator> evaluator_;
};

std::optional<CoreRates> core_rates(const BenchMachine& machine) {
  if (machine.backend != "cpu") return std::nullopt;
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
  const TemporaryFolder temporary;
  LocalCommunicator alone;
  return io::read_dataset(dataset_of_run(path.string(), io::RunPaths(temporary.path()), report), {},
                          alone);
}

}  // namespace

void bench_interpreter(const BenchMachine& machine, const std::optional<WorkloadSize>& size,
                       const BenchSink& sink) {
  const std::optional<CoreRates> core = core_rates(machine);
  constexpr std::uint64_t symbols = symbols_of(WorkloadSize().comparisons);
  const auto with_published = [&](BenchRecord record) {
    for (const PublishedRate& rate : published_rates()) {
      if (rate.rows != record.rows || rate.rules != record.rules || record.symbols != symbols) {
        continue;
      }
      record.published = {
          "Cano et al. 2013, Table 4", "gpops_per_s", rate.cpu, rate.cpus4, rate.gpu, rate.gpus2};
    }
    return record;
  };
  if (size) {
    const Dataset dataset = workload_data(*size);
    Bench bench("interpreter", machine, core, dataset);
    sink(with_published(bench.measure(size->rules, size->comparisons)));
    return;
  }
  const auto grid = published_rates();
  for (std::size_t i = 0; i < grid.size();) {
    WorkloadSize next;
    next.rows = grid[i].rows;
    const Dataset dataset = workload_data(next);
    Bench bench("interpreter", machine, core, dataset);
    for (; i < grid.size() && grid[i].rows == next.rows; ++i) {
      sink(with_published(bench.measure(grid[i].rules, next.comparisons)));
    }
  }
}

void bench_evaluation(const BenchMachine& machine, std::uint32_t rules, std::uint32_t comparisons,
                      const std::string& data, const Report& report, const BenchSink& sink) {
  const std::optional<CoreRates> core = core_rates(machine);
  for (const PublishedDataset& published : published_datasets()) {
    const std::optional<Dataset> dataset = dataset_of(published, data, report);
    std::optional<Bench> bench;
    if (dataset) bench.emplace("evaluation", machine, core, *dataset);
    std::vector<std::uint32_t> numbers = {rules};
    if (rules == 0) {
      numbers.clear();
      for (const PublishedTime& time : published.times) numbers.push_back(time.rules);
    }
    for (const std::uint32_t number : numbers) {
      BenchRecord record{"evaluation", {}, {}, 0, published.rows, published.attributes, number, 0,
                         {},           {}, 0,  {}};
      if (bench) {
        const auto attributes = static_cast<std::uint32_t>(dataset->attributes().size());
        record = bench->measure(number, std::min(comparisons, attributes));
      }
      record.dataset = published.name;
      for (const PublishedTime& time : published.times) {
        if (time.rules != number) continue;
        record.published = {
            "Cano et al. 2013, Table 5", "seconds", time.cpu, time.cpus4, time.gpu, time.gpus2};
      }
      sink(record);
    }
  }
}

}  // namespace atl
