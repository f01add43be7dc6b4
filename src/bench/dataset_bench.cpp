#include "src/bench/dataset_bench.hpp"

#include <utility>
#include <vector>

#include "cuda/count/fitness.hpp"

namespace atl {
namespace {

constexpr double seconds_each = 0.1;
/// The measures that the published pipeline computes of each rule.
constexpr Measure published_measures[] = {Measure::support, Measure::confidence, Measure::lift,
                                          Measure::leverage, Measure::conviction};

}  // namespace

const CoreRates& MachineRates::core() {
  if (!core_) core_ = measure_core_rates();
  return *core_;
}

const cuda::DeviceRates& MachineRates::device() {
  if (!device_) device_ = cuda::measure_device_rates();
  return *device_;
}

unsigned threads_of(const BenchMachine& machine) {
  return machine.options.threads != 0 ? machine.options.threads : available_cpus();
}

void expect_available(const BenchMachine& machine) {
  Workload smallest;
  smallest.rows = 1;
  const Dataset dataset = workload_data(smallest);
  ThreadPool pool(1);
  machine.choose_backend(machine, dataset.rows()).backend->load(dataset, pool);
}

DatasetBench::DatasetBench(std::string bench, std::string name, const BenchMachine& machine,
                           MachineRates& rates, const Dataset& dataset)
    : bench_(std::move(bench)),
      name_(std::move(name)),
      machine_(machine),
      rates_(rates),
      dataset_(dataset),
      backend_(machine.choose_backend(machine, dataset.rows())),
      on_gpu_(backend_.backend->load_on_gpu(dataset)),
      pool_(threads_of(machine)),
      resident_(on_gpu_ ? on_gpu_ : backend_.backend->load(dataset, pool_)) {
  // Nothing is measured under `auto` beside what a user gets.
  if (machine.options.backend != "cuda") return;
  evaluates_ = machine.pipeline != Pipeline::published;
  if (!machine.pipeline || !evaluates_) {
    published_ = cuda::make_published_pipeline(dataset, backend_.options);
  }
}

Record DatasetBench::begin_record(const Workload& workload, Pipeline pipeline) const {
  const std::string backend = resident_->device().name();
  Record record = {{"bench", bench_},
                   {"machine", machine_description(on_gpu() ? backend_.device : std::nullopt)}};
  if (!name_.empty()) record["dataset"] = name_;
  record["backend"] = backend;
  record["threads"] = backend == "cpu" ? pool_.threads() : 1;
  if (on_gpu()) record["pipeline"] = to_string(pipeline);
  record["rows"] = dataset_.rows();
  record["attributes"] = dataset_.attributes().size();
  if (name_.empty()) {
    record["planes"] = workload.planes;
    record["shape"] = to_string(workload.shape);
    record["shared"] = workload.shared;
  }
  record["rules"] = workload.rules;
  record["symbols"] = symbols_of(workload.comparisons);
  return record;
}

StageTimes DatasetBench::time_published(std::span<const Rule> rules, bool concurrent) {
  std::vector<RuleCounts> counts;
  const StageTimes times =
      atl::time_published(*published_, rules, concurrent, seconds_each, counts);
  const std::vector<RuleStatistics> expected = resident_->count(rules, {});
  for (std::size_t r = 0; r < rules.size(); ++r) {
    if (statistics_of(counts[r], {}, nullptr).table == expected[r].table) continue;
    throw InternalError("the published pipeline counts rule " + std::to_string(r) +
                        " of the benchmark otherwise than the device");
  }
  return times;
}

Timing DatasetBench::time_fitness(std::span<const Rule> rules) {
  std::vector<ContingencyTable> tables;
  for (const RuleStatistics& figures : resident_->count(rules, {})) tables.push_back(figures.table);
  return time_repeatedly([&] { (void)cuda::fitness(published_measures, tables); }, seconds_each);
}

void DatasetBench::add_device_figures(Record& record, std::span<const Rule> rules,
                                      Pipeline pipeline) {
  const cuda::DeviceRates& rates = rates_.device();
  std::optional<Timing> fitness;
  if (pipeline == Pipeline::staged) fitness = time_fitness(rules);
  std::optional<StageTimes> stages;
  if (published_) stages = time_published(rules, false);
  if (!evaluates_) {
    EvaluationTimes times;
    times.raw = {stages->wall,
                 KernelSeconds{stages->coverage, stages->reduction, stages->kernels()}};
    add_evaluation(record, times);
  }
  if (fitness) record["fitness_seconds"] = fitness->median;
  if (evaluates_) {
    add_device_bound(record, device_bound(rules, dataset_.attributes(), dataset_.rows(), rates));
  }
  record["device"] = rates_of(*backend_.device, rates);
  if (stages) add_published_pipeline(record, *stages);
}

Record DatasetBench::measure(const Workload& workload) {
  const auto attributes = dataset_.attributes();
  const std::vector<Rule> rules = workload_rules(attributes, workload);
  const Pipeline pipeline = machine_.pipeline.value_or(Pipeline::fused);
  Record record = begin_record(workload, pipeline);
  if (evaluates_) {
    add_evaluation(record, time_evaluation(*resident_, rules, attributes, seconds_each));
  }
  if (record["backend"] == "cpu") {
    const CoreRates& core = rates_.core();
    add_core(record, core, core_bound(rules, attributes, core) * pool_.threads());
  }
  if (on_gpu()) add_device_figures(record, rules, pipeline);
  return record;
}

std::vector<Record> DatasetBench::measure_concurrency(const Workload& workload) {
  const std::vector<Rule> rules = workload_rules(dataset_.attributes(), workload);
  std::vector<Record> records;
  const auto add = [&](Pipeline pipeline, const ConcurrencyTimes& times) {
    Record& record = records.emplace_back(begin_record(workload, pipeline));
    add_concurrency(record, times);
    if (on_gpu()) record["device"] = rates_of(*backend_.device, rates_.device());
  };
  if (evaluates_) {
    const BatchTimes times = time_batches(*resident_, rules, seconds_each);
    add(machine_.pipeline.value_or(Pipeline::fused),
        {times.serial, times.concurrent, std::nullopt});
  }
  if (published_) {
    const StageTimes serial = time_published(rules, false);
    add(Pipeline::published, {serial.wall, time_published(rules, true).wall, serial});
  }
  return records;
}

}  // namespace atl
