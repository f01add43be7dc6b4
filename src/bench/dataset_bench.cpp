#include "src/bench/dataset_bench.hpp"

#include <utility>
#include <vector>

#include "cuda/count/fitness.hpp"

namespace atl {

namespace {

constexpr double seconds_each = 0.1;
/// What the published pipeline computes of each rule.
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

DatasetBench::DatasetBench(const BenchMachine& machine, MachineRates& rates, const Dataset& dataset)
    : machine_(machine),
      rates_(rates),
      dataset_(dataset),
      backend_(machine.choose_backend(machine, dataset.rows())),
      on_gpu_(backend_.backend->load_on_gpu(dataset)),
      pool_(machine.options.threads != 0 ? machine.options.threads : available_cpus()),
      resident_(on_gpu_ ? on_gpu_ : backend_.backend->load(dataset, pool_)) {
  // Under `auto` nothing is measured beside what a user gets.
  if (machine.options.backend != "cuda") return;
  evaluates_ = machine.pipeline != Pipeline::published;
  if (!machine.pipeline || !evaluates_) {
    published_ = cuda::make_published_pipeline(dataset, backend_.options);
  }
}

BenchRecord DatasetBench::begin_record(const Workload& workload) const {
  BenchRecord record;
  record.backend = resident_->device().name();
  record.threads = record.backend == "cpu" ? pool_.threads() : 1;
  record.rows = dataset_.rows();
  record.attributes = static_cast<std::uint32_t>(dataset_.attributes().size());
  record.rules = workload.rules;
  record.symbols = symbols_of(workload.comparisons);
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

BenchRecord DatasetBench::measure(const Workload& workload) {
  const auto attributes = dataset_.attributes();
  const std::vector<Rule> rules = workload_rules(attributes, workload);
  BenchRecord record = begin_record(workload);
  if (evaluates_) {
    record.times = time_evaluation(*resident_, rules, attributes, seconds_each);
  }
  if (record.backend == "cpu") {
    record.core = rates_.core();
    record.bound = core_bound(rules, attributes, *record.core) * record.threads;
  }
  if (record.backend != "cuda") return record;
  record.device = backend_.device;
  record.device_rates = rates_.device();
  record.pipeline = machine_.pipeline.value_or(Pipeline::fused);
  if (evaluates_) {
    record.device_bound = device_bound(rules, attributes, dataset_.rows(), *record.device_rates);
  }
  if (record.pipeline == Pipeline::staged) record.fitness = time_fitness(rules);
  if (published_) {
    record.published_pipeline = time_published(rules, false);
    if (!evaluates_) {
      const StageTimes& stages = *record.published_pipeline;
      record.times.emplace();
      record.times->raw.wall = stages.wall;
      record.times->raw.device = {stages.coverage, stages.reduction, stages.kernels()};
    }
  }
  return record;
}

std::vector<BenchRecord> DatasetBench::measure_concurrency(const Workload& workload) {
  const std::vector<Rule> rules = workload_rules(dataset_.attributes(), workload);
  std::vector<BenchRecord> records;
  const auto add = [&](Pipeline pipeline, const ConcurrencyTimes& times) {
    records.push_back(begin_record(workload));
    records.back().concurrency = times;
    if (records.back().backend != "cuda") return;
    records.back().pipeline = pipeline;
    records.back().device = backend_.device;
    records.back().device_rates = rates_.device();
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
