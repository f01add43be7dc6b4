#include <filesystem>
#include <optional>

#include <CLI/CLI.hpp>

#include "src/app/command_line.hpp"
#include "src/app/commands.hpp"
#include "src/app/text_options.hpp"
#include "src/config/option_values.hpp"
#include "src/core/text/wrapped_text.hpp"
#include "src/run/compare/comparison.hpp"
#include "src/run/compare/two_runs.hpp"
#include "src/work/standard_streams.hpp"

namespace atl {
namespace {

struct CompareOptions {
  std::string run, rules, on;
  std::string top = "1000";
  std::string format = "table";
};

std::string as_text(const io::TrueRuleReport& report, const std::string& format) {
  if (format == "csv") return io::true_rules_csv(report);
  if (format == "json") return io::true_rules_json(report);
  return fitted(io::true_rules_table(report), stdout_columns());
}

std::string overlap_text(const io::OverlapReport& report, const std::string& format) {
  if (format == "csv") return io::overlap_csv(report);
  if (format == "json") return io::overlap_json(report);
  return fitted(io::overlap_table(report), stdout_columns());
}

ExitStatus compare(const CLI::App& command, const CompareOptions& options, const Context& context) {
  const TextForm form = text_form_from(command, TextKinds::any, options.on, "on");
  std::error_code absent;
  const bool is_folder = std::filesystem::is_directory(options.rules, absent);
  if (!is_folder && !options.on.empty()) {
    throw UsageError(
        "--on is for two runs; rules of an exhaustive search are counted on the data "
        "of the run");
  }
  const std::size_t top = whole_number_option("--top", options.top, 1, 1'000'000);
  if (is_folder) {
    std::optional<CommonData> data;
    if (!options.on.empty()) data = {options.on, form};
    compare_two_runs(
        {options.run, options.rules}, data, top, context.report,
        [&](const io::OverlapReport& found) { write_stdout(overlap_text(found, options.format)); });
    return ExitStatus::done;
  }
  compare_run(
      options.run, options.rules, top, context.report,
      [&](const io::TrueRuleReport& found) { write_stdout(as_text(found, options.format)); });
  return ExitStatus::done;
}

}  // namespace

Command add_compare(CLI::App& program) {
  auto options = std::make_shared<CompareOptions>();
  CLI::App* command =
      program.add_subcommand("compare", "Say which rules of another list a run has found");
  command->add_option("RUN", options->run, "Folder of the run")->required()->type_name("");
  command
      ->add_option("RUN|RULES", options->rules,
                   "Folder of another run; or rules of an exhaustive search of the same data (- is "
                   "standard input): the CSV of itemsets --rules, or the JSON of enumerate")
      ->required()
      ->type_name("");
  add_text(*command, "--top", options->top, "N",
           "the best rules of RULES, by the run's measure, or the first of each run");
  add_text(*command, "--on", options->on, "DATA",
           "of two runs: data to count the rules of both on [those of the runs]");
  add_text_options(*command, TextKinds::any, "on");
  add_text(*command, "--format", options->format, "FORMAT", "table, csv or json")
      ->check(CLI::IsMember({"table", "csv", "json"}))
      ->option_text("table|csv|json");
  command->footer(
      "The run's measure is that of --archive-by. All counts are made again on the\n"
      "data of the run. A rule counts as missed if the run could have written it, no\n"
      "rule of its list is like it and as good, and it says more than every more\n"
      "general rule. Of two runs, rules are the same find if they conclude the same\n"
      "and the rows of their antecedents have a Jaccard index of at least 0.8.");
  return {command, [command, options](const Context& context) {
            return compare(*command, *options, context);
          }};
}

}  // namespace atl
