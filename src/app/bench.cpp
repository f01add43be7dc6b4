#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "src/app/backend.hpp"
#include "src/app/bench/benchmarks.hpp"
#include "src/app/command_line.hpp"
#include "src/app/commands.hpp"
#include "src/app/option_values.hpp"
#include "src/app/standard_streams.hpp"
#include "src/core/experiment.hpp"
#include "src/core/thread_pool.hpp"

namespace atl {

namespace {

struct Sizes {
  std::string rows, rules, comparisons, attributes, planes;
};
struct BenchOptions {
  std::string name;
  std::string format = "table";
  std::string backend = "auto";
  std::string threads = "0";
  std::string device_memory = "0";
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

Machine machine_of(const BenchOptions& options) {
  expect_backend(options.backend);
  const std::uint64_t threads = whole_number_option("--threads", options.threads, 0, max_threads);
  Machine machine;
  machine.backend = options.backend;
  machine.threads = threads == 0 ? available_cpus() : static_cast<std::uint32_t>(threads);
  machine.device_memory = device_memory_option(options.device_memory);
  return machine;
}

constexpr std::uint32_t most_rules = 1'000'000;
constexpr std::uint32_t most_attributes = 1024;

std::optional<WorkloadSize> size_of(const Sizes& given) {
  if (given.rows.empty() && given.rules.empty() && given.comparisons.empty() &&
      given.attributes.empty() && given.planes.empty()) {
    return std::nullopt;
  }
  WorkloadSize size;
  size.rows = number("--rows", given.rows, 1, std::uint64_t{1} << 32, 1'000'000);
  size.rules = small_number("--rules", given.rules, 1, most_rules, 200);
  size.attributes =
      small_number("--attributes", given.attributes, 2, most_attributes, size.attributes);
  size.comparisons = small_number("--comparisons", given.comparisons, 2, most_attributes,
                                  std::min(size.comparisons, size.attributes));
  size.planes = small_number("--planes", given.planes, 1, 16, size.planes);
  if (size.comparisons > size.attributes) {
    throw UsageError("--comparisons: " + std::to_string(size.comparisons) +
                     " are more than the attributes (" + std::to_string(size.attributes) +
                     "), on which each is a different one");
  }
  return size;
}

void run_benchmark(const BenchOptions& options, const Report& report, const BenchSink& sink) {
  const Machine machine = machine_of(options);
  if (options.name == "interpreter") {
    bench_interpreter(machine, size_of(options.sizes), sink);
    return;
  }
  for (const auto& [option, text] : {std::pair{"--rows", &options.sizes.rows},
                                     std::pair{"--attributes", &options.sizes.attributes},
                                     std::pair{"--planes", &options.sizes.planes}}) {
    if (!text->empty()) {
      throw UsageError(std::string(option) + ": the data sets of bench evaluation have their own");
    }
  }
  const std::uint32_t rules = small_number("--rules", options.sizes.rules, 1, most_rules, 0);
  const std::uint32_t comparisons = small_number("--comparisons", options.sizes.comparisons, 2,
                                                 most_attributes, WorkloadSize().comparisons);
  const char* const data = std::getenv("ATOLL_DATA");
  bench_evaluation(machine, rules, comparisons, data == nullptr ? "" : data, report, sink);
}

ExitStatus run(const BenchOptions& options, const Report& report) {
  if (options.name != "interpreter" && options.name != "evaluation") {
    throw UsageError("unknown benchmark '" + printable(options.name) +
                     "', expected interpreter or evaluation");
  }
  if (options.format != "table" && options.format != "json") {
    throw UsageError("--format: '" + printable(options.format) + "', expected table or json");
  }
  std::vector<BenchRecord> records;
  run_benchmark(options, report, [&](const BenchRecord& record) {
    if (options.format == "table") {
      if (records.empty()) {
        report(Severity::info,
               machine_description() + (record.core ? ", " + record.core->instruction_set : ""));
        write_stdout(bench_table_head(options.name == "evaluation"));
      }
      write_stdout(bench_table_line(record));
    }
    records.push_back(record);
  });
  if (options.format == "json") write_stdout(bench_json(records));
  return ExitStatus::done;
}

}  // namespace

Command add_bench(CLI::App& program) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* command =
      program.add_subcommand("bench", "Measure how fast rules are evaluated (docs/benchmarks.md)");
  command->add_option("NAME", options->name, "interpreter or evaluation")
      ->required()
      ->type_name("");
  add_text(*command, "--format", options->format, "FORM", "table or json");
  add_text(*command, "--rows", options->sizes.rows, "N", "interpreter: rows [1000000]");
  add_text(*command, "--rules", options->sizes.rules, "N",
           "rules [200; evaluation: 25, 50, 100, 200]");
  add_text(
      *command, "--comparisons", options->sizes.comparisons, "N",
      "comparisons of a rule, on different attributes [15, or as many as there are attributes]");
  add_text(*command, "--attributes", options->sizes.attributes, "N",
           "interpreter: attributes [16]");
  add_text(*command, "--planes", options->sizes.planes, "N",
           "interpreter: bit planes of an attribute [8]");
  add_text(*command, "--backend", options->backend, "NAME",
           "what counts: auto, reference, cpu or cuda");
  add_text(*command, "--threads", options->threads, "N", "0: as many as the CPU affinity allows");
  add_text(*command, "--device-memory", options->device_memory, "SIZE",
           "of a GPU's memory, at most so much, such as 4GiB; 0: what is free");
  command->footer(
      "interpreter: the sizes of Table 4 of Cano et al. 2013, or the one that options give.\n"
      "evaluation: the data sets of their Table 5. Poker hands are generated; of the others those\n"
      "that are in the folder ATOLL_DATA names.");
  return {command, [options](const Context& context) { return run(*options, context.report); }};
}

}  // namespace atl
