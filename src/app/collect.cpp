#include <CLI/CLI.hpp>

#include "io/results/run_comparison.hpp"
#include "src/app/commands.hpp"
#include "src/app/machine_options.hpp"
#include "src/app/output_options.hpp"
#include "src/backend/choice.hpp"
#include "src/config/option_values.hpp"
#include "src/run/collect/collection.hpp"
#include "src/work/standard_streams.hpp"

namespace atl {
namespace {

struct CollectOptions {
  CollectionPlan plan;
  std::string format = "table";
  std::string top;
};

ExitStatus collect(const CLI::App& command, const CollectOptions& options, const Report& report) {
  CollectionPlan plan = options.plan;
  refuse_standard_output(plan.output, "a run is a folder, name one");
  apply_counting_options(command, plan.machine);
  plan.choose_backend = make_backend;
  if (command.count("--top") != 0) {
    plan.top = static_cast<std::uint32_t>(whole_number_option("--top", options.top, 1, 1'000'000));
  }
  const std::vector<MinedRun> runs = collect_runs(plan, report);
  write_stdout(options.format == "json" ? comparison_json(runs)
                                        : comparison_text(runs, options.format, stdout_columns()));
  return ExitStatus::done;
}

}  // namespace

Command add_collect(CLI::App& program) {
  auto options = std::make_shared<CollectOptions>();
  CLI::App* command =
      program.add_subcommand("collect", "Make one run of what several have found in the same data");
  command->add_option("RUN", options->plan.folders, "Folders of runs, also of collected ones")
      ->required()
      ->type_name("");
  command->add_option("-o,--output", options->plan.output, "folder of the run to make")
      ->required()
      ->type_name("RUN");
  command->add_flag("--force", options->plan.force, "replace the run that is there");
  command->add_option("--top", options->top, "rules to write [the most that one of the runs has]")
      ->type_name("N");
  command
      ->add_option("--format", options->format,
                   "of the comparison of the runs on standard output: table, csv or json [table]")
      ->type_name("FORMAT")
      ->check(CLI::IsMember({"table", "csv", "json"}))
      ->option_text("table|csv|json");
  add_counting_options(*command);
  command->footer(
      "The archives of all runs are merged and the rules written as those of one run: counted on\n"
      "the data, without redundancy. Runs may be finished, stopped or running (then as of their\n"
      "last checkpoint), and may differ in seed, islands, generations and thresholds. They must\n"
      "have the same data, grammar, aim, bins, archive_by, missing_consequent, holdout and\n"
      "significance, and with --holdout the same seed. The order of the runs does not matter.");
  return {command, [command, options](const Context& context) {
            return collect(*command, *options, context.report);
          }};
}

}  // namespace atl
