#include "src/bench/pittsburgh_report.hpp"

#include <fmt/format.h>

#include "src/bench/record.hpp"
#include "src/core/text/near_names.hpp"

namespace atl {

namespace {

std::string in_ms(const std::optional<double>& seconds) {
  return seconds ? fmt::format("{:>9.4g}", *seconds * 1e3) : fmt::format("{:>9}", "");
}
std::optional<double> median_if(const std::optional<Timing>& timing) {
  if (!timing) return std::nullopt;
  return timing->median;
}

std::string line_of(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + '\n';
}

std::string list_stage_columns(const PittsburghRecord& record) {
  std::string line;
  for (const auto stage :
       {&RuleSetStageSeconds::coverage, &RuleSetStageSeconds::rule_fitness,
        &RuleSetStageSeconds::classification, &RuleSetStageSeconds::set_fitness}) {
    line += in_ms(record.stages ? std::optional((*record.stages).*stage) : std::nullopt);
  }
  return line;
}

std::string list_pipeline_columns(const PittsburghRecord& record) {
  if (!record.published) return fmt::format("{:>36}", "");
  const PittsburghPublished& published = *record.published;
  return in_ms(published.wall.median) + in_ms(published.stages.coverage) +
         in_ms(published.stages.kernels()) +
         fmt::format("{:>9.1f}", published.wall.median / record.fused->median);
}

std::string paper_columns(const PittsburghRecord& record) {
  if (record.paper == nullptr) return "";
  const PittsburghFigures& all = record.paper->evaluation_seconds;
  const PittsburghFigures& coverage = record.paper->interpreter_milliseconds;
  return fmt::format("{:>10.4g}{:>10.4g}{:>9.4g}{:>9.4g} |{:>9.4g}{:>9.4g}", all.cpu * 1e3,
                     all.cpus12 * 1e3, all.gpu * 1e3, all.gpus2 * 1e3, coverage.gpu,
                     coverage.gpus2);
}

/// Table 1.
std::string blocks_table(const std::vector<PittsburghBlocks>& blocks) {
  if (blocks.empty()) return "";
  constexpr std::uint32_t paper[][4] = {
      {128, 1024, 8, 67}, {192, 1536, 8, 100}, {256, 1536, 6, 100}, {320, 1280, 4, 83}};
  std::string text =
      "\nTable 1: blocks of the published coverage kernel, on a processor\n"
      "threads | active threads  warps  blocks  occupancy | coverage ms | paper: threads  blocks  "
      "occupancy\n";
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const cuda::PittsburghOccupancy& of = blocks[i].occupancy;
    text += fmt::format("{:>7} |{:>15}{:>7}{:>8}{:>10.0f}% |{:>12.4g} |{:>15}{:>8}{:>10}%\n",
                        of.threads, of.active_threads, of.active_threads / 32, of.active_blocks,
                        100.0 * of.active_threads / of.most_threads,
                        blocks[i].coverage_seconds * 1e3, paper[i][1], paper[i][2], paper[i][3]);
  }
  return text;
}

/// Table 5, of the data set on which the rate is best, as in the paper.
std::string power_table(const std::vector<PittsburghRecord>& records) {
  std::string text =
      "\nTable 5: performance per watt\n"
      "device                                          W   10^6 GPops/s  10^6 GPops/s/W\n";
  const auto line = [&](const std::string& name, double watts, double rate) {
    text += fmt::format("{:<40}{:>9.1f}{:>15.1f}{:>16.2f}\n", name, watts, rate * 1e-6,
                        rate * 1e-6 / watts);
  };
  for (const PittsburghPower& paper : pittsburgh_power()) {
    line(paper.device, paper.watts, paper.operations_per_second);
  }
  bool any = false;
  for (const PittsburghRecord& record : records) {
    if (!record.watts) continue;
    any = true;
    line(record.device->name + ", " + record.data->name, *record.watts,
         record.operations() / record.fused->median);
    if (!record.published_watts) continue;
    line("  the published pipeline on it", *record.published_watts,
         record.operations() / record.published->wall.median);
  }
  return any ? text : text + "of this machine: no power reading\n";
}

/// Figures 5 and 6.
std::string figures(const std::vector<PittsburghRecord>& records) {
  std::string text =
      "\nFigure 5: rate by size        10^6 GPops |10^9 GPops/s: coverage, all | paper: 1 GPU, 2 "
      "GPUs\n";
  for (const PittsburghRecord& record : records) {
    if (!record.fused || record.paper == nullptr) continue;
    const double all = record.operations();
    const PittsburghFigures& paper = record.paper->interpreter_milliseconds;
    text += fmt::format(
        "{:<14}{:>5}{:>21.4g} |{:>21.4g}{:>10.4g} |{:>13.4g}{:>9.4g}\n", record.data->name,
        record.population, all * 1e-6, record.stages ? all * 1e-9 / record.stages->coverage : 0.0,
        all * 1e-9 / record.fused->median, record.paper->operations * 1e-6 / paper.gpu,
        record.paper->operations * 1e-6 / paper.gpus2);
  }
  std::string speedups;
  for (const PittsburghRecord& record : records) {
    if (!record.one_core) continue;
    const PittsburghFigures& paper = record.paper->evaluation_seconds;
    const auto ratio = [&](const std::optional<Timing>& timing) {
      return timing ? fmt::format("{:>9.1f}", record.one_core->median / timing->median)
                    : fmt::format("{:>9}", "");
    };
    speedups +=
        fmt::format("{:<14}{:>12.4g}{}{} |{:>13.0f}{:>8.0f}\n", record.data->name,
                    record.one_core->median * 1e3, ratio(record.fused), ratio(record.two_devices),
                    paper.cpu / paper.gpu, paper.cpu / paper.gpus2);
  }
  if (speedups.empty()) return text;
  return text +
         "\nFigure 6: times as fast as a core    ms of it    1 GPU   2 GPUs | paper: 1 GPU, 2 "
         "GPUs\n" +
         speedups;
}

}  // namespace

void report_pittsburgh(const BenchMachine& machine, const std::string& data, bool json,
                       const Report& report, const std::function<void(const std::string&)>& write) {
  bool described = json;
  bool begun = json;
  const PittsburghResult result =
      bench_pittsburgh(machine, data, report, [&](const PittsburghRecord& record) {
        if (!begun) write(pittsburgh_head());
        begun = true;
        if (!described && record.fused) {
          BenchRecord of_machine;
          of_machine.device = record.device;
          report(Severity::info, record.backend + ", " + counted(record.threads, "thread") + "; " +
                                     machine_description(of_machine));
          described = true;
        }
        if (!json) write(pittsburgh_line(record));
      });
  write(json ? pittsburgh_json(result) : pittsburgh_end(result));
}

std::string pittsburgh_head() {
  return fmt::format(
      "{:<14}{:>8}{:>5} {:<12}{:>10} |{:>9}{:>9}{:>9} |{:>9}{:>9}{:>9}{:>9} |{:>9}{:>9}{:>9}{:>9} "
      "|{}\n",
      "ms", "rows", "pop", "lists", "10^6 ops", "fused", "device", "2 GPUs", "coverage", "rule fit",
      "classify", "set fit", "published", "coverage", "kernels", "ratio",
      " paper: 1 CPU,   12 CPU,   1 GPU,  2 GPUs |coverage: 1, 2 GPUs");
}

std::string pittsburgh_line(const PittsburghRecord& record) {
  std::string line =
      fmt::format("{:<14}{:>8}{:>5} ", record.data->name, record.rows, record.population);
  if (!record.fused) {
    line += fmt::format("{:<12}{:>10.4g} |{:>27} |{:>36} |{:>36} |", "no data",
                        record.paper->operations * 1e-6, "", "", "");
    return line_of(line + paper_columns(record));
  }
  line += fmt::format("{:<12}{:>10.4g} |", to_string(record.shape), record.operations() * 1e-6);
  line += in_ms(record.fused->median) + in_ms(record.device_seconds) +
          in_ms(median_if(record.two_devices)) + " |" + list_stage_columns(record) + " |" +
          list_pipeline_columns(record) + " |";
  return line_of(line + paper_columns(record));
}

std::string pittsburgh_end(const PittsburghResult& result) {
  return blocks_table(result.blocks) + power_table(result.records) + figures(result.records);
}

}  // namespace atl
