#include <CLI/CLI.hpp>

#include "src/app/command_line.hpp"
#include "src/app/commands.hpp"
#include "src/config/option_values.hpp"
#include "src/core/text/wrapped_text.hpp"
#include "src/run/compare/comparison.hpp"
#include "src/work/standard_streams.hpp"

namespace atl {

namespace {

struct CompareOptions {
  std::string run, rules;
  std::string top = "1000";
  std::string format = "table";
};

std::string as_text(const io::TrueRuleReport& report, const std::string& format) {
  if (format == "csv") return io::true_rules_csv(report);
  if (format == "json") return io::true_rules_json(report);
  return fitted(io::true_rules_table(report), stdout_columns());
}

ExitStatus compare(const CompareOptions& options, const Context& context) {
  const std::size_t top = whole_number_option("--top", options.top, 1, 1'000'000);
  compare_run(
      options.run, options.rules, top, context.report,
      [&](const io::TrueRuleReport& found) { write_stdout(as_text(found, options.format)); });
  return ExitStatus::done;
}

}  // namespace

Command add_compare(CLI::App& program) {
  auto options = std::make_shared<CompareOptions>();
  CLI::App* command =
      program.add_subcommand("compare", "Say which of the rules that there are a run has found");
  command->add_option("RUN", options->run, "Folder of the run")->required()->type_name("");
  command
      ->add_option("RULES", options->rules,
                   "Rules of an exhaustive search of the same data (- is standard input): the CSV "
                   "of itemsets --rules, or the JSON of enumerate")
      ->required()
      ->type_name("");
  add_text(*command, "--top", options->top, "N", "the best rules of RULES, by the run's measure");
  add_text(*command, "--format", options->format, "FORMAT", "table, csv or json")
      ->check(CLI::IsMember({"table", "csv", "json"}))
      ->option_text("table|csv|json");
  command->footer(
      "The run's measure is that of --archive-by. All counts are made again on the\n"
      "data of the run. A rule counts as missed if the run could have written it, no\n"
      "rule of its list is like it and as good, and it says more than every more\n"
      "general rule.");
  return {command, [options](const Context& context) { return compare(*options, context); }};
}

}  // namespace atl
