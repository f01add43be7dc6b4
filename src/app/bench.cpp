#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "src/app/command_line.hpp"
#include "src/app/commands.hpp"
#include "src/app/machine_options.hpp"
#include "src/backend/choice.hpp"
#include "src/bench/benchmarks.hpp"
#include "src/config/experiment.hpp"
#include "src/config/option_values.hpp"
#include "src/work/standard_streams.hpp"

namespace atl {
namespace {

struct BenchOptions {
  std::string name;
  std::string format = "table";
  Machine machine;
  AxisTexts axes;  ///< of all benchmarks; empty: not given
};

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
  return machine;
}

ExitStatus run(const BenchOptions& options, const Context& context) {
  const Benchmark& benchmark = benchmark_of(options.name);
  if (options.format != "table" && options.format != "json") {
    throw UsageError("--format: '" + printable(options.format) + "', expected table or json");
  }
  if (!benchmark.on_all_ranks && context.communicator.rank() != 0) return ExitStatus::done;
  AxisTexts given = options.axes;
  std::erase_if(given, [](const auto& axis) { return axis.second.empty(); });
  const char* const data = std::getenv("ATOLL_DATA");
  run_benchmark({benchmark, std::move(given), machine_of(options), make_backend,
                 context.communicator, context.report, data == nullptr ? "" : data},
                options.format == "json", write_stdout);
  return ExitStatus::done;
}

/// Benchmarks that have an option, and what holds where it is not given.
struct OptionUse {
  Axis axis;  ///< of the first of them
  std::vector<std::pair<std::string, std::string>> standards = {};

  /// "rows [1000000; concurrency: 2500]", "scaling: islands of each rank [4]"
  std::string help() const {
    std::string text = axis.help;
    if (standards.size() == 1) text.insert(0, standards.front().first + ": ");
    text += " [" + axis.standard;
    for (const auto& [benchmark, standard] : standards) {
      if (standard != axis.standard)
        text.append("; ").append(benchmark).append(": ").append(standard);
    }
    return text + "]";
  }
};

std::vector<OptionUse> option_uses() {
  std::vector<OptionUse> uses;
  for (const Benchmark& benchmark : benchmarks()) {
    for (const Axis& axis : benchmark.axes) {
      auto use = std::find_if(uses.begin(), uses.end(), [&](const OptionUse& other) {
        return std::string_view(other.axis.option) == axis.option;
      });
      if (use == uses.end()) use = uses.insert(use, OptionUse{axis});
      use->standards.emplace_back(benchmark.name, axis.standard);
    }
  }
  return uses;
}

std::string list_of_benchmarks() {
  std::string text = "Benchmarks (docs/reference/bench.md):\n";
  for (const Benchmark& benchmark : benchmarks()) {
    std::string name = benchmark.name;
    name.resize(13, ' ');
    text += name + benchmark.measures;
    if (benchmark.published[0] != '\0') {
      text.append("\n").append(13, ' ').append("beside ").append(benchmark.published);
    }
    text += '\n';
  }
  return text;
}

}  // namespace

Command add_bench(CLI::App& program) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* command = program.add_subcommand(
      "bench",
      "Measure how fast rules are evaluated, and what ranks cost (docs/reference/bench.md)");
  command->add_option("NAME", options->name, any_of_names(benchmark_names()))
      ->required()
      ->type_name("");
  add_text(*command, "--format", options->format, "FORM", "table or json");
  for (const OptionUse& use : option_uses()) {
    add_text(*command, use.axis.option, options->axes[use.axis.option], use.axis.type, use.help());
  }
  add_counting_options(*command);
  command->footer(list_of_benchmarks());
  const auto bench = [command, options](const Context& context) {
    apply_counting_options(*command, options->machine);
    return run(*options, context);
  };
  return {command, bench, true};
}

}  // namespace atl
