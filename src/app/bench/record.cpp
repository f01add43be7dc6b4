#include "src/app/bench/record.hpp"

#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "src/core/thread_pool.hpp"

namespace atl {

namespace {

using Json = nlohmann::ordered_json;

double operations(const BenchRecord& record) {
  return static_cast<double>(record.symbols) * static_cast<double>(record.rules) *
         static_cast<double>(record.rows);
}

Json to_json(const Published& published) {
  return {{"source", published.source},
          {"cpu_" + published.unit, published.figures.cpu},
          {"four_cpus_" + published.unit, published.figures.cpus4},
          {"gpu_" + published.unit, published.figures.gpu},
          {"two_gpus_" + published.unit, published.figures.gpus2}};
}

Json to_json(const BenchRecord& record) {
  Json json = {{"bench", record.bench}, {"machine", machine_description()}};
  if (!record.dataset.empty()) json["dataset"] = record.dataset;
  if (record.times) {
    json["backend"] = record.backend;
    json["threads"] = record.threads;
  }
  json["rows"] = record.rows;
  json["attributes"] = record.attributes;
  json["rules"] = record.rules;
  if (record.times) {
    const double all = operations(record);
    const EvaluationTimes& times = *record.times;
    json["symbols"] = record.symbols;
    json["seconds"] = times.raw.median;
    json["best_seconds"] = times.raw.best;
    json["runs"] = times.raw.runs;
    json["raw_gpops_per_s"] = all / times.raw.median;
    json["supports_gpops_per_s"] = all / times.with_supports.median;
    json["effective_gpops_per_s"] = all / times.effective.median;
    json["distinct_share"] = times.distinct_share;
  } else {
    json["data"] = "no data";
  }
  if (record.times && record.core) {
    json["bound_gpops_per_s"] = record.bound;
    json["share_of_bound"] = operations(record) / record.times->raw.median / record.bound;
    json["core"] = {{"instruction_set", record.core->instruction_set},
                    {"logic_words_per_s", record.core->logic},
                    {"load_words_per_s", record.core->loads},
                    {"popcount_words_per_s", record.core->popcounts}};
  }
  if (record.published) json["published"] = to_json(*record.published);
  return json;
}

std::string published_columns(const BenchRecord& record) {
  if (!record.published) return "";
  const PublishedFigures& p = record.published->figures;
  const double scale = record.published->unit == "seconds" ? 1e3 : 1e-9;
  return fmt::format(" | {:>10.4g} {:>10.4g} {:>9.4g} {:>9.4g}", p.cpu * scale, p.cpus4 * scale,
                     p.gpu * scale, p.gpus2 * scale);
}

}  // namespace

std::string machine_description() {
  std::ifstream cpus("/proc/cpuinfo");
  std::string name = "unknown processor";
  for (std::string line; std::getline(cpus, line);) {
    const std::size_t value = line.find(": ");
    if (line.rfind("model name", 0) != 0 || value == std::string::npos) continue;
    name = line.substr(value + 2);
    break;
  }
  return fmt::format("{}, {} processors to use", name, available_cpus());
}

std::string bench_json(const std::vector<BenchRecord>& records) {
  Json list = Json::array();
  for (const BenchRecord& record : records) list.push_back(to_json(record));
  return list.dump(2) + "\n";
}

std::string bench_table_head(bool datasets) {
  const char* const published = datasets ? "published ms: CPU, 4 CPUs, GPU, 2 GPUs"
                                         : "published 10^9/s: CPU, 4 CPUs, GPU, 2 GPUs";
  return fmt::format("{:<12} {:>8} {:>6} {:>10} {:>8} {:>8} {:>8} {:>9} {:>8} {:>6} | {}\n",
                     datasets ? "data" : "", "rows", "rules", "ms", "raw", "best", "supports",
                     "effective", "bound", "share", published);
}

std::string bench_table_line(const BenchRecord& record) {
  std::string line = fmt::format("{:<12} {:>8} {:>6} ", record.dataset, record.rows, record.rules);
  if (record.times) {
    const double all = operations(record) * 1e-9;
    const EvaluationTimes& times = *record.times;
    const double raw = all / times.raw.median;
    line += fmt::format("{:>10.4g} {:>8.1f} {:>8.1f} {:>8.1f} {:>9.1f} ", times.raw.median * 1e3,
                        raw, all / times.raw.best, all / times.with_supports.median,
                        all / times.effective.median);
    line += record.core ? fmt::format("{:>8.1f} {:>5.0f}%", record.bound * 1e-9,
                                      100 * raw / (record.bound * 1e-9))
                        : fmt::format("{:>8} {:>6}", "", "");
  } else {
    line += fmt::format("{:>63}", "no data");
  }
  return line + published_columns(record) + "\n";
}

}  // namespace atl
