#include "src/bench/record_json.hpp"

#include <nlohmann/json.hpp>

namespace atl {

namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Published& published) {
  return {{"source", published.source},
          {"cpu_" + published.unit, published.figures.cpu},
          {"four_cpus_" + published.unit, published.figures.cpus4},
          {"gpu_" + published.unit, published.figures.gpu},
          {"two_gpus_" + published.unit, published.figures.gpus2}};
}

/// Of Table 6 and of a pipeline of ours, which have the same stages.
template <typename Stages>
Json stages_to_json(const Stages& stages) {
  return {{"upload_seconds", stages.upload},
          {"coverage_seconds", stages.coverage},
          {"reduction_seconds", stages.reduction},
          {"fitness_seconds", stages.fitness},
          {"download_seconds", stages.download}};
}

Json to_json(const CoreRates& core) {
  return {{"instruction_set", core.instruction_set},
          {"logic_words_per_s", core.logic},
          {"load_words_per_s", core.loads},
          {"popcount_words_per_s", core.popcounts}};
}

Json to_json(const cuda::VisibleDevice& device, const cuda::DeviceRates& rates) {
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

void add_evaluation(const EvaluationTimes& times, double all, Json& json) {
  json["seconds"] = times.raw.wall.median;
  json["best_seconds"] = times.raw.wall.best;
  json["runs"] = times.raw.wall.runs;
  json["raw_gpops_per_s"] = all / times.raw.wall.median;
  if (times.with_supports) {
    json["supports_gpops_per_s"] = all / times.with_supports->wall.median;
    json["effective_gpops_per_s"] = all / times.effective->wall.median;
    json["distinct_share"] = times.distinct_share;
  }
  if (!times.raw.device) return;
  json["device_seconds"] = times.raw.device->total;
  if (times.raw.device->coverage > 0) {
    json["coverage_seconds"] = times.raw.device->coverage;
    json["reduction_seconds"] = times.raw.device->reduction;
  }
  json["device_raw_gpops_per_s"] = all / times.raw.device->total;
  if (times.with_supports) {
    json["device_supports_gpops_per_s"] = all / times.with_supports->device->total;
    json["device_effective_gpops_per_s"] = all / times.effective->device->total;
  }
}

void add_device_bound(const DeviceBound& bound, const EvaluationTimes& times, double all,
                      Json& json) {
  json["bound_gpops_per_s"] = bound.raw;
  json["bound_by"] = bound.limit;
  json["supports_bound_gpops_per_s"] = bound.with_supports;
  json["effective_bound_gpops_per_s"] = bound.effective;
  json["plane_an_operation_gpops_per_s"] = bound.plane_an_operation;
  json["share_of_bound"] = all / times.raw.wall.median / bound.raw;
  json["device_share_of_bound"] = all / times.raw.device->total / bound.raw;
}

void add_published_pipeline(const StageTimes& stages, const BenchRecord& record, Json& json) {
  const double all = operations_of(record);
  Json pipeline = {{"seconds", stages.wall.median}, {"device_seconds", stages.total}};
  pipeline.update(stages_to_json(stages));
  pipeline["gpops_per_s"] = all / stages.kernels();
  pipeline["coverage_gpops_per_s"] = all / stages.coverage;
  if (record.pipeline == Pipeline::fused) {
    pipeline["ratio"] = stages.wall.median / record.times->raw.wall.median;
    pipeline["device_ratio"] = stages.kernels() / record.times->raw.device->total;
  }
  json["published_pipeline"] = std::move(pipeline);
}

void add_concurrency(const ConcurrencyTimes& times, Json& json) {
  json["serial_seconds"] = times.serial.median;
  json["concurrent_seconds"] = times.concurrent.median;
  if (times.stages) json.update(stages_to_json(*times.stages));
  constexpr PublishedStages table6;
  Json published = {{"source", "Cano et al. 2013, Table 6"}};
  published.update(stages_to_json(table6));
  published["serial_seconds"] = table6.serial;
  published["concurrent_seconds"] = table6.concurrent;
  json["published"] = std::move(published);
}

Json to_json(const BenchRecord& record) {
  const bool measured = record.times || record.concurrency;
  const double all = operations_of(record);
  Json json = {{"bench", record.bench}, {"machine", machine_description(record)}};
  if (!record.dataset.empty()) json["dataset"] = record.dataset;
  if (measured) {
    json["backend"] = record.backend;
    json["threads"] = record.threads;
  }
  if (record.pipeline) json["pipeline"] = to_string(*record.pipeline);
  json["rows"] = record.rows;
  json["attributes"] = record.attributes;
  if (record.drawn) {
    json["planes"] = record.drawn->planes;
    json["shape"] = to_string(record.drawn->shape);
    json["shared"] = record.drawn->shared;
  }
  json["rules"] = record.rules;
  if (measured) json["symbols"] = record.symbols;
  if (record.times) add_evaluation(*record.times, all, json);
  if (record.concurrency) add_concurrency(*record.concurrency, json);
  if (!measured) json["data"] = "no data";
  if (record.times && record.core) {
    json["bound_gpops_per_s"] = record.bound;
    json["share_of_bound"] = all / record.times->raw.wall.median / record.bound;
    json["core"] = to_json(*record.core);
  }
  if (record.fitness) json["fitness_seconds"] = record.fitness->median;
  if (record.device_bound) add_device_bound(*record.device_bound, *record.times, all, json);
  if (record.device) json["device"] = to_json(*record.device, *record.device_rates);
  if (record.published_pipeline) add_published_pipeline(*record.published_pipeline, record, json);
  if (record.published) json["published"] = to_json(*record.published);
  return json;
}

}  // namespace

std::string bench_json(const std::vector<BenchRecord>& records) {
  Json list = Json::array();
  for (const BenchRecord& record : records) list.push_back(to_json(record));
  return list.dump(2) + "\n";
}

}  // namespace atl
