#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "src/bench/benchmarks.hpp"
#include "src/bench/pittsburgh_bench.hpp"

namespace atl {
namespace {

/// Ours and the published pipeline have the same stages.
template <typename Stages>
Record list_stages_of(const Stages& stages) {
  return {{"coverage_seconds", stages.coverage},
          {"rule_fitness_seconds", stages.rule_fitness},
          {"classification_seconds", stages.classification},
          {"set_fitness_seconds", stages.set_fitness}};
}

Record figures_of(const PittsburghFigures& figures, double scale) {
  return {{"cpu_seconds", figures.cpu * scale},
          {"four_cpus_seconds", figures.cpus4 * scale},
          {"twelve_cpus_seconds", figures.cpus12 * scale},
          {"gpu_seconds", figures.gpu * scale},
          {"two_gpus_seconds", figures.gpus2 * scale}};
}

double population_operations(const Record& record) {
  return number_of(record, "symbols") * number_of(record, "rows");
}

/// Lines of the data sets, with what is computed of their figures.
std::vector<Record> population_lines(std::span<const Record> records) {
  std::vector<Record> lines;
  for (const Record& record : records) {
    if (record.contains("threads_per_block")) continue;
    Record& line = lines.emplace_back(record);
    if (line.contains("data")) {
      line["lists"] = line["data"];
      line["operations"] = line["published"]["gpops"];
    } else {
      line["operations"] = population_operations(line);
    }
  }
  return lines;
}

std::vector<Record> block_lines(std::span<const Record> records) {
  constexpr std::uint32_t paper[][4] = {// threads of a block, active threads, blocks, occupancy
                                        {128, 1024, 8, 67},
                                        {192, 1536, 8, 100},
                                        {256, 1536, 6, 100},
                                        {320, 1280, 4, 83}};
  std::vector<Record> lines;
  for (const Record& record : records) {
    if (!record.contains("threads_per_block")) continue;
    Record& line = lines.emplace_back(record);
    line["active_warps"] = record["active_threads"].get<std::uint32_t>() / 32;
    line["occupancy"] = number_of(line, "active_threads") / number_of(line, "most_threads");
    for (const auto& [threads, active, blocks, occupancy] : paper) {
      if (record["threads_per_block"] != threads) continue;
      line["paper"] = {{"threads", active}, {"blocks", blocks}, {"occupancy", occupancy}};
    }
  }
  return lines;
}

/// The data set on which the rate is best, as in the paper.
std::vector<Record> power_lines(std::span<const Record> records) {
  std::vector<Record> lines;
  const auto add = [&](const std::string& device, double watts, double rate) {
    lines.push_back({{"device", device}, {"watts", watts}, {"rate", rate}, {"each", rate / watts}});
  };
  for (const PittsburghPower& paper : pittsburgh_power()) {
    add(paper.device, paper.watts, paper.operations_per_second);
  }
  const std::size_t published = lines.size();
  for (const Record& record : records) {
    if (!record.contains("watts")) continue;
    const auto machine = record["machine"].get<std::string>();
    add(machine.substr(0, machine.find(", CUDA driver")) + ", " +
            record["dataset"].get<std::string>(),
        number_of(record, "watts"), number_of(record, "gpops_per_s"));
    if (figure_of(record, "published_pipeline.watts") == nullptr) continue;
    add("  the published pipeline on it", number_of(record, "published_pipeline.watts"),
        population_operations(record) / number_of(record, "published_pipeline.seconds"));
  }
  if (lines.size() == published) {
    lines.emplace_back()["device"] = "of this machine: no power reading";
  }
  return lines;
}

std::vector<Record> rate_by_size_lines(std::span<const Record> records) {
  std::vector<Record> lines;
  for (Record& line : population_lines(records)) {
    if (!line.contains("seconds") || !line.contains("published")) continue;
    Record& published = line["published"];
    const double all = number_of(published, "gpops");
    published["gpu_rate"] = all / number_of(published, "interpreter.gpu_seconds");
    published["two_gpus_rate"] = all / number_of(published, "interpreter.two_gpus_seconds");
    lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<Record> speedup_lines(std::span<const Record> records) {
  std::vector<Record> lines;
  for (const Record& record : records) {
    if (!record.contains("one_core_seconds")) continue;
    Record& line = lines.emplace_back(record);
    const Record& paper = record["published"]["evaluation"];
    for (const char* gpus : {"gpu", "two_gpus"}) {
      const std::string name = gpus, seconds = name + "_seconds";
      const Record* const ours = figure_of(record, name == "gpu" ? "seconds" : seconds);
      if (ours != nullptr) {
        line[name + "_ratio"] = number_of(record, "one_core_seconds") / ours->get<double>();
      }
      line["published"][name + "_ratio"] =
          number_of(paper, "cpu_seconds") / number_of(paper, seconds);
    }
  }
  return lines;
}

Table population_table() {
  return {"",
          {{"dataset", "ms", as_it_is, "{:<14}"},
           {"rows", "rows", as_it_is, "{:>8}"},
           {"population", "pop", as_it_is, "{:>5}"},
           {"lists", "lists", as_it_is, " {:<12}"},
           {"operations", "10^6 ops", in_millions, "{:>10.4g}"},
           bar,
           {"seconds", "fused", in_ms, "{:>9.4g}"},
           {"device_seconds", "device", in_ms, "{:>9.4g}"},
           {"two_gpus_seconds", "2 GPUs", in_ms, "{:>9.4g}"},
           bar,
           {"stages.coverage_seconds", "coverage", in_ms, "{:>9.4g}"},
           {"stages.rule_fitness_seconds", "rule fit", in_ms, "{:>9.4g}"},
           {"stages.classification_seconds", "classify", in_ms, "{:>9.4g}"},
           {"stages.set_fitness_seconds", "set fit", in_ms, "{:>9.4g}"},
           bar,
           {"published_pipeline.seconds", "published", in_ms, "{:>9.4g}"},
           {"published_pipeline.coverage_seconds", "coverage", in_ms, "{:>9.4g}"},
           {"published_pipeline.kernel_seconds", "kernels", in_ms, "{:>9.4g}"},
           {"published_pipeline.ratio", "ratio", as_it_is, "{:>9.1f}"},
           bar,
           {"published.evaluation.cpu_seconds",
            " paper: 1 CPU,   12 CPU,   1 GPU,  2 GPUs |coverage: 1, 2 GPUs", in_ms, "{:>10.4g}"},
           {"published.evaluation.twelve_cpus_seconds", "", in_ms, "{:>10.4g}"},
           {"published.evaluation.gpu_seconds", "", in_ms, "{:>9.4g}"},
           {"published.evaluation.two_gpus_seconds", "", in_ms, "{:>9.4g} |"},
           {"published.interpreter.gpu_seconds", "", in_ms, "{:>9.4g}"},
           {"published.interpreter.two_gpus_seconds", "", in_ms, "{:>9.4g}"}},
          population_lines};
}

Table blocks_table() {
  return {"\nTable 1: blocks of the published coverage kernel, on a processor\n",
          {{"threads_per_block", "threads", as_it_is, "{:>7}"},
           bar,
           {"active_threads", "active threads", as_it_is, "{:>15}"},
           {"active_warps", "warps", as_it_is, "{:>7}"},
           {"active_blocks", "blocks", as_it_is, "{:>8}"},
           {"occupancy", "occupancy", in_percent, "{:>10.0f}%"},
           bar,
           {"coverage_seconds", "coverage ms", in_ms, "{:>12.4g}"},
           bar,
           {"paper.threads", "paper: threads", as_it_is, "{:>15}"},
           {"paper.blocks", "blocks", as_it_is, "{:>8}"},
           {"paper.occupancy", "occupancy", as_it_is, "{:>10}%"}},
          block_lines};
}

Table power_table() {
  return {"\nTable 5: performance per watt\n",
          {{"device", "device", as_it_is, "{:<40}"},
           {"watts", "W", as_it_is, "{:>9.1f}"},
           {"rate", "10^6 GPops/s", in_millions, "{:>15.1f}"},
           {"each", "10^6 GPops/s/W", in_millions, "{:>16.2f}"}},
          power_lines};
}

Table rate_by_size_table() {
  return {"\nFigure 5: rate by size, in 10^9 GPops/s\n",
          {{"dataset", "data", as_it_is, "{:<14}"},
           {"population", "pop", as_it_is, "{:>5}"},
           {"operations", "10^6 GPops", in_millions, "{:>21.4g}"},
           bar,
           {"coverage_gpops_per_s", "coverage", in_billions, "{:>21.4g}"},
           {"gpops_per_s", "all", in_billions, "{:>10.4g}"},
           bar,
           {"published.gpu_rate", "paper: 1 GPU", in_billions, "{:>13.4g}"},
           {"published.two_gpus_rate", "2 GPUs", in_billions, "{:>9.4g}"}},
          rate_by_size_lines};
}

Table speedup_table() {
  return {"\nFigure 6: times as fast as a core\n",
          {{"dataset", "data", as_it_is, "{:<14}"},
           {"one_core_seconds", "ms of it", in_ms, "{:>12.4g}"},
           {"gpu_ratio", "1 GPU", as_it_is, "{:>9.1f}"},
           {"two_gpus_ratio", "2 GPUs", as_it_is, "{:>9.1f}"},
           bar,
           {"published.gpu_ratio", "paper: 1 GPU", as_it_is, "{:>13.0f}"},
           {"published.two_gpus_ratio", "2 GPUs", as_it_is, "{:>8.0f}"}},
          speedup_lines};
}

}  // namespace

Record population_record(const char* data, std::uint64_t rows, std::uint32_t attributes,
                         std::uint32_t classes, std::uint32_t population, RuleSetShape shape,
                         const std::optional<cuda::VisibleDevice>& device) {
  return {{"bench", "pittsburgh"},    {"machine", machine_description(device)},
          {"dataset", data},          {"rows", rows},
          {"attributes", attributes}, {"classes", classes},
          {"population", population}, {"lists", to_string(shape)}};
}

void add_scoring(Record& record, const Timing& fused) {
  record["seconds"] = fused.median;
  record["best_seconds"] = fused.best;
  record["runs"] = fused.runs;
  record["gpops_per_s"] = population_operations(record) / fused.median;
}

void add_stages(Record& record, const RuleSetStageSeconds& stages) {
  record["stages"] = list_stages_of(stages);
  record["coverage_gpops_per_s"] = population_operations(record) / stages.coverage;
}

void add_watts(Record& record, double watts) {
  record["watts"] = watts;
  record["gpops_per_s_per_watt"] = number_of(record, "gpops_per_s") / watts;
}

void add_published_pipeline(Record& record, const Timing& wall,
                            const cuda::PittsburghSeconds& stages) {
  Record pipeline = {{"seconds", wall.median},
                     {"kernel_seconds", stages.kernels()},
                     {"upload_seconds", stages.upload}};
  pipeline.update(list_stages_of(stages));
  pipeline["download_seconds"] = stages.download;
  pipeline["ratio"] = wall.median / number_of(record, "seconds");
  pipeline["coverage_gpops_per_s"] = population_operations(record) / stages.coverage;
  record["published_pipeline"] = std::move(pipeline);
}

void add_paper(Record& record, const PittsburghSize& paper) {
  record["published"] = {{"source", "Cano et al. 2014, Tables 3 and 4"},
                         {"gpops", paper.operations},
                         {"interpreter", figures_of(paper.interpreter_milliseconds, 1e-3)},
                         {"evaluation", figures_of(paper.evaluation_seconds, 1)}};
}

Record block_record(const cuda::PittsburghOccupancy& occupancy, double coverage_seconds) {
  return {{"bench", "pittsburgh"},
          {"threads_per_block", occupancy.threads},
          {"active_threads", occupancy.active_threads},
          {"active_blocks", occupancy.active_blocks},
          {"most_threads", occupancy.most_threads},
          {"coverage_seconds", coverage_seconds}};
}

std::vector<Table> pittsburgh_tables() {
  return {population_table(), blocks_table(), power_table(), rate_by_size_table(), speedup_table()};
}

Benchmark pittsburgh_benchmark() {
  return {.name = "pittsburgh",
          .measures = "scoring decision lists, on data sets as of evaluation",
          .published = "Cano et al. 2014, Tables 1, 3, 4 and 5",
          .refuses = "takes data sets and lists as in the paper, by all pipelines",
          .tables = [](const BenchMachine&) { return pittsburgh_tables(); },
          .run = run_pittsburgh};
}

}  // namespace atl
