#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "src/app/backend.hpp"
#include "src/app/command_line.hpp"
#include "src/app/commands.hpp"
#include "src/app/machine_options.hpp"
#include "src/app/option_values.hpp"
#include "src/bench/apriori_report.hpp"
#include "src/bench/benchmarks.hpp"
#include "src/bench/pittsburgh_report.hpp"
#include "src/bench/record_json.hpp"
#include "src/bench/record_table.hpp"
#include "src/bench/scaling.hpp"
#include "src/bench/team.hpp"
#include "src/config/experiment.hpp"
#include "src/core/text/number.hpp"
#include "src/core/thread_pool.hpp"
#include "src/work/standard_streams.hpp"

namespace atl {

namespace {

struct Sizes {
  std::string rows, rules, comparisons, attributes, planes, shape, shared;
};
struct BenchOptions {
  std::string name;
  std::string format = "table";
  Machine machine;
  std::string pipeline;
  std::string islands, split;
  Sizes sizes;
};

/// @param absent  what holds if the option was not given
std::uint64_t number(const std::string& option, const std::string& text, std::uint64_t lowest,
                     std::uint64_t highest, std::uint64_t absent) {
  return text.empty() ? absent : whole_number_option(option, text, lowest, highest);
}

std::uint32_t small_number(const std::string& option, const std::string& text, std::uint32_t lowest,
                           std::uint32_t highest, std::uint32_t absent) {
  return static_cast<std::uint32_t>(number(option, text, lowest, highest, absent));
}

BenchBackend backend_of(const BenchMachine& machine, std::uint64_t rows) {
  LocalCommunicator alone;
  BackendChoice choice = choose_backend(machine.options, {rows}, alone);
  choice.options.in_stages = machine.pipeline == Pipeline::staged;
  return {std::make_unique<ChosenBackend>(choice), choice.device, choice.options};
}

BenchMachine machine_of(const BenchOptions& options) {
  BenchMachine machine;
  machine.choose_backend = backend_of;
  machine.options = options.machine;
  if (options.pipeline.empty()) return machine;
  machine.pipeline = option_value("--pipeline", [&] { return pipeline_of(options.pipeline); });
  if (options.machine.backend != "cuda") {
    throw UsageError("--pipeline: only --backend cuda has pipelines to choose from");
  }
  return machine;
}

constexpr std::uint32_t most_rules = 1'000'000;
constexpr std::uint32_t most_attributes = 1024;

RuleShape shape_of(const std::string& name) {
  for (const RuleShape shape : {RuleShape::one_sided, RuleShape::intervals, RuleShape::deep}) {
    if (name.empty() || name == to_string(shape)) return shape;
  }
  throw UsageError("--shape: '" + printable(name) + "', expected one-sided, intervals or deep");
}

double shared_of(const std::string& text) {
  if (text.empty()) return 0;
  const std::optional<double> share = parse_number(text);
  if (!share || !(*share >= 0 && *share <= 0.5)) {
    throw UsageError("--shared: '" + printable(text) + "', expected a number from 0 to 0.5");
  }
  return *share;
}

Workload workload_of(const Sizes& given, std::uint64_t rows) {
  Workload workload;
  workload.rows = number("--rows", given.rows, 1, std::uint64_t{1} << 32, rows);
  workload.rules = small_number("--rules", given.rules, 1, most_rules, 200);
  workload.attributes =
      small_number("--attributes", given.attributes, 2, most_attributes, workload.attributes);
  workload.comparisons = small_number("--comparisons", given.comparisons, 2, most_attributes,
                                      std::min(workload.comparisons, workload.attributes));
  workload.planes = small_number("--planes", given.planes, 1, 16, workload.planes);
  workload.shape = shape_of(given.shape);
  workload.shared = shared_of(given.shared);
  if (workload.comparisons > workload.attributes) {
    throw UsageError("--comparisons: " + std::to_string(workload.comparisons) +
                     " are more than the attributes (" + std::to_string(workload.attributes) +
                     "), on which each is a different one");
  }
  return workload;
}

/// Options that this benchmark does not take.
void expect_absent(std::initializer_list<std::pair<const char*, const std::string*>> options,
                   const std::string& reason) {
  for (const auto& [option, text] : options) {
    if (!text->empty()) throw UsageError(std::string(option) + ": " + reason);
  }
}

std::string data_folder() {
  const char* const data = std::getenv("ATOLL_DATA");
  return data == nullptr ? "" : data;
}

void run_evaluation(const BenchOptions& options, const BenchMachine& machine, const Report& report,
                    const BenchSink& sink) {
  const Sizes& sizes = options.sizes;
  expect_absent({{"--rows", &sizes.rows},
                 {"--attributes", &sizes.attributes},
                 {"--planes", &sizes.planes},
                 {"--shape", &sizes.shape},
                 {"--shared", &sizes.shared}},
                "bench evaluation takes data sets and rules as in the paper");
  const std::uint32_t rules = small_number("--rules", sizes.rules, 1, most_rules, 0);
  const std::uint32_t comparisons =
      small_number("--comparisons", sizes.comparisons, 2, most_attributes, Workload().comparisons);
  bench_evaluation(machine, rules, comparisons, data_folder(), report, sink);
}

/// Of a benchmark that takes what its paper takes, by all pipelines.
void expect_no_sizes(const BenchOptions& options, const std::string& reason) {
  const Sizes& sizes = options.sizes;
  expect_absent({{"--rows", &sizes.rows},
                 {"--rules", &sizes.rules},
                 {"--comparisons", &sizes.comparisons},
                 {"--attributes", &sizes.attributes},
                 {"--planes", &sizes.planes},
                 {"--shape", &sizes.shape},
                 {"--shared", &sizes.shared},
                 {"--pipeline", &options.pipeline}},
                reason);
}

ExitStatus run_apriori(const BenchOptions& options, const Report& report) {
  expect_no_sizes(options, "bench apriori takes transactions as in the paper, by all pipelines");
  report_apriori(machine_of(options), options.format == "json", report, write_stdout);
  return ExitStatus::done;
}

ExitStatus run_pittsburgh(const BenchOptions& options, const Report& report) {
  expect_no_sizes(options,
                  "bench pittsburgh takes data sets and lists as in the paper, by all pipelines");
  report_pittsburgh(machine_of(options), data_folder(), options.format == "json", report,
                    write_stdout);
  return ExitStatus::done;
}

void run_benchmark(const BenchOptions& options, const Report& report, const BenchSink& sink) {
  const BenchMachine machine = machine_of(options);
  const Sizes& sizes = options.sizes;
  if (options.name == "evaluation") {
    run_evaluation(options, machine, report, sink);
  } else if (options.name == "concurrency") {
    bench_concurrency(machine, workload_of(sizes, 2500), sink);
  } else {
    const bool one_size =
        !(sizes.rows.empty() && sizes.rules.empty() && sizes.comparisons.empty() &&
          sizes.attributes.empty() && sizes.planes.empty());
    bench_interpreter(machine, workload_of(sizes, 1'000'000), one_size, sink);
  }
}

BenchTable table_of(const BenchOptions& options) {
  if (options.name == "concurrency") return BenchTable::concurrency;
  return options.machine.backend == "cuda" ? BenchTable::device_rates : BenchTable::rates;
}

ExitStatus run_scaling(const BenchOptions& options, Communicator& communicator) {
  const Sizes& sizes = options.sizes;
  expect_absent({{"--rules", &sizes.rules},
                 {"--comparisons", &sizes.comparisons},
                 {"--shape", &sizes.shape},
                 {"--shared", &sizes.shared},
                 {"--pipeline", &options.pipeline}},
                "bench scaling mines, it draws no rules");
  const std::uint32_t islands = small_number("--islands", options.islands, 1, 10'000, 4);
  const ScalingRecord record =
      bench_scaling(machine_of(options).options, workload_of(sizes, 100'000), islands, make_backend,
                    communicator);
  if (communicator.rank() == 0) {
    write_stdout(options.format == "json" ? scaling_json(record) : scaling_table(record));
  }
  return ExitStatus::done;
}

ExitStatus run_team(const BenchOptions& options, Communicator& communicator) {
  expect_absent({{"--pipeline", &options.pipeline}}, "bench team counts by the fused one");
  const TeamSplit split = options.split.empty() ? TeamSplit::rows : split_option(options.split);
  Sizes sizes = options.sizes;
  if (sizes.rules.empty()) sizes.rules = "3200";
  const TeamRecord record = bench_team(machine_of(options).options, workload_of(sizes, 1'000'000),
                                       split, make_backend, communicator);
  if (communicator.rank() == 0) {
    write_stdout(options.format == "json" ? team_json(record) : team_table(record));
  }
  return ExitStatus::done;
}

ExitStatus run(const BenchOptions& options, const Context& context) {
  const bool scaling = options.name == "scaling", team = options.name == "team";
  if (!scaling && !team && context.communicator.rank() != 0) return ExitStatus::done;
  const Report& report = context.report;
  const bool pittsburgh = options.name == "pittsburgh", apriori = options.name == "apriori";
  if (!scaling && !team && !pittsburgh && !apriori && options.name != "interpreter" &&
      options.name != "evaluation" && options.name != "concurrency") {
    throw UsageError(
        "unknown benchmark '" + printable(options.name) +
        "', expected interpreter, evaluation, concurrency, pittsburgh, apriori, scaling or team");
  }
  if (!team && !options.split.empty()) throw UsageError("--split is for bench team");
  if (!scaling && !options.islands.empty()) {
    throw UsageError("--islands is for bench scaling");
  }
  if (options.format != "table" && options.format != "json") {
    throw UsageError("--format: '" + printable(options.format) + "', expected table or json");
  }
  if (team) return run_team(options, context.communicator);
  if (scaling) return run_scaling(options, context.communicator);
  if (pittsburgh) return run_pittsburgh(options, report);
  if (apriori) return run_apriori(options, report);
  const bool json = options.format == "json";
  const BenchTable table = table_of(options);
  std::string described;  // backend that the machine was told for
  std::vector<BenchRecord> records;
  run_benchmark(options, report, [&](const BenchRecord& record) {
    if (!json && records.empty())
      write_stdout(bench_table_head(table, options.name == "evaluation"));
    if (!json && described != record.backend && (record.times || record.concurrency)) {
      described = record.backend;
      report(Severity::info, machine_description(record) +
                                 (record.core ? ", " + record.core->instruction_set : ""));
      if (record.device) report(Severity::info, device_rates_text(*record.device_rates));
    }
    if (!json) write_stdout(bench_table_line(table, record));
    records.push_back(record);
  });
  write_stdout(json ? bench_json(records) : bench_table_end(table));
  return ExitStatus::done;
}

}  // namespace

Command add_bench(CLI::App& program) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* command = program.add_subcommand(
      "bench",
      "Measure how fast rules are evaluated, and what ranks cost (docs/reference/bench.md)");
  command
      ->add_option("NAME", options->name,
                   "interpreter, evaluation, concurrency, pittsburgh, apriori, scaling or team")
      ->required()
      ->type_name("");
  Sizes& sizes = options->sizes;
  add_text(*command, "--format", options->format, "FORM", "table or json");
  add_text(*command, "--rows", sizes.rows, "N",
           "rows [1000000; concurrency: 2500; scaling: 100000]");
  add_text(*command, "--rules", sizes.rules, "N",
           "rules [200; evaluation: 25, 50, 100, 200; team: 3200]");
  add_text(
      *command, "--comparisons", sizes.comparisons, "N",
      "comparisons of a rule, on different attributes [15, or as many as there are attributes]");
  add_text(*command, "--attributes", sizes.attributes, "N", "attributes [16]");
  add_text(*command, "--planes", sizes.planes, "N", "bit planes of an attribute [8]");
  add_text(*command, "--shape", sizes.shape, "SHAPE",
           "of rules: one-sided, intervals or deep [one-sided]");
  add_text(*command, "--shared", sizes.shared, "SHARE",
           "comparisons that two rules have each, 0 to 0.5 of all [0]");
  add_text(*command, "--islands", options->islands, "N", "scaling: islands of each rank [4]");
  add_text(*command, "--split", options->split, "rows|rules",
           "team: what the ranks share out [rows]");
  add_counting_options(*command);
  add_text(*command, "--pipeline", options->pipeline, "NAME",
           "of cuda alone: fused, staged or published [fused, and published beside it]");
  command->footer(
      "interpreter: the sizes of Table 4 of Cano et al. 2013, or the one that options\n"
      "give.\n"
      "evaluation: the data sets of their Table 5, which have sizes of their own.\n"
      "Poker hands are generated; of the others those that are in the folder\n"
      "ATOLL_DATA names.\n"
      "concurrency: stages, transfers and their overlap, as in their Table 6.\n"
      "pittsburgh: decision lists, as in the tables of Cano et al. 2014, on those\n"
      "data sets.\n"
      "apriori: a level of the search for itemsets, as in the figures of Tang and\n"
      "Wang 2014, on generated transactions.\n"
      "scaling: start-up, mining and communication on the ranks of mpirun\n"
      "(docs/notes/scaling.md).\n"
      "team: batches that the ranks of mpirun count together, each a part.");
  const auto bench = [command, options](const Context& context) {
    apply_counting_options(*command, options->machine);
    return run(*options, context);
  };
  return {command, bench, true};
}

}  // namespace atl
