#include "src/bench/rule_tables.hpp"

#include <span>
#include <string>

namespace atl {
namespace {

std::vector<Record> rate_lines(std::span<const Record> records) {
  std::vector<Record> lines(records.begin(), records.end());
  for (Record& line : lines) {
    if (line.contains("data"))
      line["share_of_bound"] = line["device_share_of_bound"] = line["data"];
    if (line.contains("seconds")) {
      line["best"] = operations_of(line) / number_of(line, "best_seconds");
    }
    if (line.contains("published_pipeline")) {
      Record& pipeline = line["published_pipeline"];
      pipeline["kernel_seconds"] = operations_of(line) / number_of(pipeline, "gpops_per_s");
    }
  }
  return lines;
}

std::vector<Column> first_columns(const char* first) {
  return {{"dataset", first, as_it_is, "{:<12}"},
          {"rows", "rows", as_it_is, " {:>8}"},
          {"rules", "rules", as_it_is, " {:>6}"}};
}

std::vector<Column> core_columns() {
  return {{"seconds", "ms", in_ms, " {:>10.4g}"},
          {"raw_gpops_per_s", "raw", in_billions, " {:>8.1f}"},
          {"best", "best", in_billions, " {:>8.1f}"},
          {"supports_gpops_per_s", "supports", in_billions, " {:>8.1f}"},
          {"effective_gpops_per_s", "effective", in_billions, " {:>9.1f}"},
          {"bound_gpops_per_s", "bound", in_billions, " {:>8.1f}"},
          {"share_of_bound", "share", in_percent, " {:>5.0f}%"}};
}

std::vector<Column> device_columns() {
  return {{"seconds", "ms", in_ms, " {:>10.4g}"},
          {"raw_gpops_per_s", "raw", in_billions, " {:>9.1f}"},
          bar,
          {"device_seconds", "device ms", in_ms, " {:>10.4g}"},
          {"device_raw_gpops_per_s", "raw", in_billions, " {:>9.1f}"},
          {"device_supports_gpops_per_s", "supports", in_billions, " {:>9.1f}"},
          {"device_effective_gpops_per_s", "effective", in_billions, " {:>9.1f}"},
          {"bound_gpops_per_s", "bound", in_billions, " {:>8.1f}"},
          {"device_share_of_bound", "share", in_percent, " {:>5.0f}%"},
          bar,
          {"published_pipeline.kernel_seconds", "pipeline", in_ms, " {:>10.4g}"},
          {"published_pipeline.gpops_per_s", "raw", in_billions, " {:>8.1f}"},
          {"published_pipeline.device_ratio", "ratio", as_it_is, " {:>6.1f}"}};
}

std::vector<Record> concurrency_lines(std::span<const Record> records) {
  std::vector<Record> lines(records.begin(), records.end());
  for (Record& line : lines) {
    if (!line.contains("pipeline")) line["pipeline"] = line["backend"];
  }
  return lines;
}

std::vector<Record> paper_line(std::span<const Record> records) {
  std::vector<Record> lines = {records.front()["published"]};
  lines.front()["pipeline"] = "paper";
  return lines;
}

}  // namespace

Table rates_table(const BenchMachine& machine, const char* first, bool published_seconds) {
  const bool on_gpu = machine.options.backend == "cuda";
  Table table{"", first_columns(first), rate_lines};
  const auto add = [&](const std::vector<Column>& columns) {
    table.columns.insert(table.columns.end(), columns.begin(), columns.end());
  };
  add(on_gpu ? device_columns() : core_columns());
  const std::string unit = published_seconds ? "seconds" : "gpops_per_s";
  const double scale = published_seconds ? in_ms : in_billions;
  const std::string heading = published_seconds ? " | published ms:" : " | published 10^9/s:";
  const char* first_format = " | {:>9.4g}";
  if (!on_gpu) {
    add({{"published.cpu_" + unit, heading + " CPU, 4 CPUs, GPU, 2 GPUs", scale, " | {:>10.4g}"},
         {"published.four_cpus_" + unit, "", scale, " {:>10.4g}"}});
    first_format = " {:>9.4g}";
  }
  add({{"published.gpu_" + unit, on_gpu ? heading + " GPU, 2 GPUs" : "", scale, first_format},
       {"published.two_gpus_" + unit, "", scale, " {:>9.4g}"}});
  return table;
}

std::vector<Table> concurrency_tables() {
  Table table{"",
              {{"pipeline", "ms", as_it_is, "{:<10}"},
               {"rows", "rows", as_it_is, " {:>8}"},
               {"rules", "rules", as_it_is, " {:>6}"},
               bar,
               {"upload_seconds", "upload", in_ms, " {:>10.4g}"},
               {"coverage_seconds", "coverage", in_ms, " {:>10.4g}"},
               {"reduction_seconds", "reduction", in_ms, " {:>10.4g}"},
               {"fitness_seconds", "fitness", in_ms, " {:>10.4g}"},
               {"download_seconds", "download", in_ms, " {:>10.4g}"},
               bar,
               {"serial_seconds", "serial", in_ms, " {:>10.4g}"},
               {"concurrent_seconds", "concurrent", in_ms, " {:>10.4g}"}},
              concurrency_lines};
  Table paper = table;
  for (Column& column : paper.columns) {
    if (!column.key.empty()) column.heading = "";
  }
  paper.lines = paper_line;
  return {table, paper};
}

}  // namespace atl
