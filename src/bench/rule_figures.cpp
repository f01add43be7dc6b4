#include "src/bench/rule_figures.hpp"

#include <utility>

namespace atl {
namespace {

/// Table 6 and a pipeline of ours have the same stages.
template <typename Stages>
Record stages_of(const Stages& stages) {
  return {{"upload_seconds", stages.upload},
          {"coverage_seconds", stages.coverage},
          {"reduction_seconds", stages.reduction},
          {"fitness_seconds", stages.fitness},
          {"download_seconds", stages.download}};
}

}  // namespace

double operations_of(const Record& record) {
  return number_of(record, "symbols") * number_of(record, "rules") * number_of(record, "rows");
}

void add_evaluation(Record& record, const EvaluationTimes& times) {
  const double all = operations_of(record);
  const Measured& raw = times.raw;
  record["seconds"] = raw.wall.median;
  record["best_seconds"] = raw.wall.best;
  record["runs"] = raw.wall.runs;
  record["raw_gpops_per_s"] = all / raw.wall.median;
  if (times.with_supports) {
    record["supports_gpops_per_s"] = all / times.with_supports->wall.median;
    record["effective_gpops_per_s"] = all / times.effective->wall.median;
    record["distinct_share"] = times.distinct_share;
  }
  if (!raw.device) return;
  record["device_seconds"] = raw.device->total;
  if (raw.device->coverage > 0) {
    record["coverage_seconds"] = raw.device->coverage;
    record["reduction_seconds"] = raw.device->reduction;
  }
  record["device_raw_gpops_per_s"] = all / raw.device->total;
  if (times.with_supports) {
    record["device_supports_gpops_per_s"] = all / times.with_supports->device->total;
    record["device_effective_gpops_per_s"] = all / times.effective->device->total;
  }
}

void add_core(Record& record, const CoreRates& core, double bound) {
  record["bound_gpops_per_s"] = bound;
  record["share_of_bound"] = number_of(record, "raw_gpops_per_s") / bound;
  record["core"] = rates_of(core);
}

void add_device_bound(Record& record, const DeviceBound& bound) {
  record["bound_gpops_per_s"] = bound.raw;
  record["bound_by"] = bound.limit;
  record["supports_bound_gpops_per_s"] = bound.with_supports;
  record["effective_bound_gpops_per_s"] = bound.effective;
  record["plane_an_operation_gpops_per_s"] = bound.plane_an_operation;
  record["share_of_bound"] = number_of(record, "raw_gpops_per_s") / bound.raw;
  record["device_share_of_bound"] = number_of(record, "device_raw_gpops_per_s") / bound.raw;
}

void add_published_pipeline(Record& record, const StageTimes& stages) {
  const double all = operations_of(record);
  Record pipeline = {{"seconds", stages.wall.median}, {"device_seconds", stages.total}};
  pipeline.update(stages_of(stages));
  pipeline["gpops_per_s"] = all / stages.kernels();
  pipeline["coverage_gpops_per_s"] = all / stages.coverage;
  if (record["pipeline"] == to_string(Pipeline::fused)) {
    pipeline["ratio"] = stages.wall.median / number_of(record, "seconds");
    pipeline["device_ratio"] = stages.kernels() / number_of(record, "device_seconds");
  }
  record["published_pipeline"] = std::move(pipeline);
}

void add_concurrency(Record& record, const ConcurrencyTimes& times) {
  record["serial_seconds"] = times.serial.median;
  record["concurrent_seconds"] = times.concurrent.median;
  if (times.stages) record.update(stages_of(*times.stages));
  constexpr PublishedStages table6;
  Record published = {{"source", "Cano et al. 2013, Table 6"}};
  published.update(stages_of(table6));
  published["serial_seconds"] = table6.serial;
  published["concurrent_seconds"] = table6.concurrent;
  record["published"] = std::move(published);
}

void add_published(Record& record, const char* source, const std::string& unit,
                   const PublishedFigures& figures) {
  record["published"] = {{"source", source},
                         {"cpu_" + unit, figures.cpu},
                         {"four_cpus_" + unit, figures.cpus4},
                         {"gpu_" + unit, figures.gpu},
                         {"two_gpus_" + unit, figures.gpus2}};
}

Record rates_of(const CoreRates& core) {
  return {{"instruction_set", core.instruction_set},
          {"logic_words_per_s", core.logic},
          {"load_words_per_s", core.loads},
          {"popcount_words_per_s", core.popcounts}};
}

Record rates_of(const cuda::VisibleDevice& device, const cuda::DeviceRates& rates) {
  return {{"name", device.name},
          {"cuda_driver", device.driver},
          {"cuda_runtime", device.runtime},
          {"clock_hz", rates.clock},
          {"logic_words_per_s", rates.logic},
          {"popcount_words_per_s", rates.popcounts},
          {"shared_bytes_per_s", rates.shared},
          {"l2_bytes_per_s", rates.l2},
          {"memory_bytes_per_s", rates.memory}};
}

}  // namespace atl
