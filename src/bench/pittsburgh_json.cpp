#include <nlohmann/json.hpp>

#include "src/bench/pittsburgh_report.hpp"
#include "src/bench/record.hpp"

namespace atl {

namespace {

using Json = nlohmann::ordered_json;

/// Of ours and of the published pipeline's, which have the same stages.
template <typename Stages>
Json stages_of(const Stages& stages) {
  return {{"coverage_seconds", stages.coverage},
          {"rule_fitness_seconds", stages.rule_fitness},
          {"classification_seconds", stages.classification},
          {"set_fitness_seconds", stages.set_fitness}};
}

Json figures_of(const PittsburghFigures& figures, double scale) {
  return {{"cpu_seconds", figures.cpu * scale},
          {"four_cpus_seconds", figures.cpus4 * scale},
          {"twelve_cpus_seconds", figures.cpus12 * scale},
          {"gpu_seconds", figures.gpu * scale},
          {"two_gpus_seconds", figures.gpus2 * scale}};
}

void add_timing(const std::string& name, const std::optional<Timing>& timing, Json& json) {
  if (timing) json[name] = timing->median;
}
void add_number(const std::string& name, const std::optional<double>& number, Json& json) {
  if (number) json[name] = *number;
}

void add_measured(const PittsburghRecord& record, Json& json) {
  const double all = record.operations();
  json["backend"] = record.backend;
  json["threads"] = record.threads;
  json["seconds"] = record.fused->median;
  json["best_seconds"] = record.fused->best;
  json["runs"] = record.fused->runs;
  json["gpops_per_s"] = all / record.fused->median;
  add_number("device_seconds", record.device_seconds, json);
  add_timing("two_gpus_seconds", record.two_devices, json);
  add_timing("one_core_seconds", record.one_core, json);
  add_timing("staged_seconds", record.staged, json);
  if (record.stages) {
    json["stages"] = stages_of(*record.stages);
    json["coverage_gpops_per_s"] = all / record.stages->coverage;
  }
  if (record.watts) {
    json["watts"] = *record.watts;
    json["gpops_per_s_per_watt"] = all / record.fused->median / *record.watts;
  }
  if (record.published) {
    const PittsburghPublished& published = *record.published;
    Json pipeline = {{"seconds", published.wall.median},
                     {"kernel_seconds", published.stages.kernels()},
                     {"upload_seconds", published.stages.upload}};
    pipeline.update(stages_of(published.stages));
    pipeline["download_seconds"] = published.stages.download;
    pipeline["ratio"] = published.wall.median / record.fused->median;
    pipeline["coverage_gpops_per_s"] = all / published.stages.coverage;
    add_number("watts", record.published_watts, pipeline);
    json["published_pipeline"] = std::move(pipeline);
  }
}

Json to_json(const PittsburghRecord& record) {
  BenchRecord of_machine;
  of_machine.device = record.device;
  Json json = {{"bench", "pittsburgh"},           {"machine", machine_description(of_machine)},
               {"dataset", record.data->name},    {"rows", record.rows},
               {"attributes", record.attributes}, {"classes", record.classes},
               {"population", record.population}, {"lists", to_string(record.shape)}};
  if (record.fused) {
    json["symbols"] = record.symbols;
    add_measured(record, json);
  } else {
    json["data"] = "no data";
  }
  if (record.paper != nullptr) {
    json["published"] = {{"source", "Cano et al. 2014, Tables 3 and 4"},
                         {"gpops", record.paper->operations},
                         {"interpreter", figures_of(record.paper->interpreter_milliseconds, 1e-3)},
                         {"evaluation", figures_of(record.paper->evaluation_seconds, 1)}};
  }
  return json;
}

}  // namespace

std::string pittsburgh_json(const PittsburghResult& result) {
  Json list = Json::array();
  for (const PittsburghRecord& record : result.records) list.push_back(to_json(record));
  for (const PittsburghBlocks& blocks : result.blocks) {
    list.push_back({{"bench", "pittsburgh"},
                    {"threads_per_block", blocks.occupancy.threads},
                    {"active_threads", blocks.occupancy.active_threads},
                    {"active_blocks", blocks.occupancy.active_blocks},
                    {"most_threads", blocks.occupancy.most_threads},
                    {"coverage_seconds", blocks.coverage_seconds}});
  }
  return list.dump(2) + "\n";
}

}  // namespace atl
