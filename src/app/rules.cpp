#include <filesystem>
#include <utility>

#include <CLI/CLI.hpp>

#include "io/results/rule_file.hpp"
#include "io/run/run_files.hpp"
#include "io/run/run_folder.hpp"
#include "islands/algorithms.hpp"
#include "src/app/commands.hpp"
#include "src/app/text_options.hpp"
#include "src/config/experiment.hpp"
#include "src/config/option_values.hpp"
#include "src/core/text/near_names.hpp"
#include "src/core/text/shell_word.hpp"
#include "src/measures/measures.hpp"
#include "src/results/written/rescore.hpp"
#include "src/results/written/where.hpp"
#include "src/run/data/rule_data.hpp"
#include "src/run/data/run_data.hpp"
#include "src/work/standard_streams.hpp"

namespace atl {
namespace {

struct RulesOptions {
  std::string run, on;
  std::string format = "table";
  std::string measures;
  std::string columns;
  std::string sort;
  std::string where;
  std::string top;
  bool definitions = false, variants = false;
};

std::vector<WrittenRule> written_rules(const io::Folder& run) {
  if (!run.has(io::run_names::rules_json))
    throw MissingInput(run.path_of(io::run_names::rules_json),
                       "no rules yet: they are written when a job of the run ends");
  return io::read_rules(run);
}

void count_on_other_data(std::vector<WrittenRule>& rules, const std::string& path,
                         const io::Folder& run, const RunConfiguration& configuration,
                         const TextForm& typed, const Report& report) {
  const TextForm form = or_as_of_run(typed, configuration.machine.text);
  const Dataset data =
      read_data_of_rules(path, rules, form, run, configuration.machine.data, report);
  ThreadPool pool(available_cpus());
  const auto resident = make_cpu_device(pool)->load(data);
  const std::string name = path == standard_input ? "standard input" : path;
  rescore(rules, *resident, configuration.experiment, name);
  report(Severity::info, drift_summary(rules, name));
}

/// The measures of the columns, where a table for people has fewer than the run's files.
std::vector<Measure> chosen_measures(const CLI::App& command, const RulesOptions& options,
                                     std::span<const WrittenRule> rules, bool of_mean,
                                     std::vector<Measure> measures) {
  const bool for_files = options.format == "csv" || options.format == "json";
  if (for_files || command.count("--measures") != 0) return measures;
  if (command.count("--on") == 0) {
    const auto usual = table_measures(rules);
    return {usual.begin(), usual.end()};
  }
  // Each stands there twice.
  return {of_mean ? Measure::mean : Measure::confidence,
          of_mean ? Measure::effect_size : Measure::lift};
}

/// Empty: the usual ones.
std::vector<std::string> columns_asked_for(const CLI::App& command, const RulesOptions& options) {
  if (command.count("--columns") == 0) return {};
  if (command.count("--measures") != 0 || options.format == "json")
    throw UsageError("--columns is for tables and CSV, without --measures: it names them, too");
  return option_value("--columns", [&] { return parse_rule_columns(options.columns); });
}

/// Tells why nothing is printed, if it is so.
/// @param written  rules before --where
void tell_of_none(const Experiment& experiment, std::size_t written, std::size_t left,
                  std::size_t definitions, const Report& report) {
  if (written > 0 && left > 0) return;
  if (written > 0) {
    report(Severity::info, "none of " + counted(written, "rule") + " satisfies --where");
    return;
  }
  report(Severity::info, experiment.significance > 0 ? "the run has no significant rules"
                                                     : "the run has found no rules");
  if (definitions > 0)
    report(Severity::info,
           "but " + counted(definitions, "definition") + ", which --definitions prints");
}

ExitStatus print_rules(const CLI::App& command, const RulesOptions& options, const Report& report) {
  const auto given = [&](const char* name) { return command.count(name) != 0; };
  std::optional<Where> where;
  if (given("--where")) where = parse_where(options.where);
  std::size_t top = ~std::size_t{0};
  if (given("--top")) top = whole_number_option("--top", options.top, 1, 1'000'000'000);
  const std::vector<std::string> columns = columns_asked_for(command, options);
  std::optional<RuleOrder> order;
  if (given("--sort"))
    order = option_value("--sort", [&] { return parse_rule_order(options.sort); });
  const TextForm form = text_form_from(command, TextKinds::any, options.on, "on");
  const io::Folder run = io::find_run(options.run);
  const io::RunPaths paths(run.path());
  const RunConfiguration configuration = parse_run_configuration(
      io::read_file(run, io::run_names::config), paths.config, algorithms());
  const Experiment& experiment = configuration.experiment;
  expect_kind(rule_kind, experiment, options.run);
  const bool of_mean = experiment.aim.concludes_mean();
  std::vector<WrittenRule> rules = written_rules(run);
  const RuleFigures figures{.of_mean = of_mean,
                            .quantiles = experiment.aim.concludes_quantile(),
                            .held_out = experiment.holdout.any(),
                            .rescored = given("--on"),
                            .repeated = !rules.empty() && rules.front().found_again.has_value()};
  if (where) option_value("--where", [&] { expect_fields(where->fields, figures); });
  option_value("--columns", [&] { expect_fields(columns, figures); });
  if (order) option_value("--sort", [&] { expect_fields(order->fields, figures); });
  std::vector<Measure> measures =
      measures_named(given("--measures") ? measures_option("--measures", options.measures, of_mean)
                                         : experiment.measures,
                     of_mean);
  if (!rules.empty() && (rules.front().held_out.has_value() != figures.held_out ||
                         rules.front().quantiles.has_value() != figures.quantiles)) {
    throw BadData(paths.rules_json, "does not have the figures that " + paths.config + " asks for");
  }
  std::size_t left_out = 0;
  if (!options.definitions && experiment.definitions == DefinitionChoice::apart)
    left_out = erase_definitions(rules);
  arrange_variants(rules, options.variants);
  if (where) expect_attributes(where->attributes, rules, paths, configuration.machine.data, report);
  measures = chosen_measures(command, options, rules, of_mean, std::move(measures));
  if (given("--on")) count_on_other_data(rules, options.on, run, configuration, form, report);
  const std::size_t written = rules.size();
  if (where) std::erase_if(rules, [&](const auto& rule) { return !where->holds(rule); });
  tell_of_none(experiment, written, rules.size(), left_out, report);
  if (order) sort_rules(rules, *order);
  if (rules.size() > top) rules.resize(top);
  write_stdout(io::rules_text(options.format, rules, stdout_columns(),
                              {.measures = measures,
                               .held_out = figures.held_out,
                               .rescored = figures.rescored,
                               .quantiles = figures.quantiles,
                               .runs = io::is_collected(run),
                               .repeated = figures.repeated,
                               .columns = columns,
                               .gives_way = !given("--measures") && columns.empty()}));
  return ExitStatus::done;
}

}  // namespace

Command add_rules(CLI::App& program) {
  auto options = std::make_shared<RulesOptions>();
  CLI::App* command = program.add_subcommand("rules", "Print the rules of a run");
  command->add_option("RUN", options->run, "Folder of the run")->required()->type_name("");
  command
      ->add_option(
          "--on", options->on,
          "count the rules on other data with the same columns or items, too, and say what "
          "changed")
      ->type_name("DATA");
  add_text_options(*command, TextKinds::any, "on");
  command
      ->add_option("--format", options->format,
                   "table, csv, json, or a table of Markdown or LaTeX (booktabs) [table]")
      ->type_name("FORMAT")
      ->check(CLI::IsMember({"table", "csv", "json", "markdown", "latex"}))
      ->option_text("table|csv|json|markdown|latex");
  command
      ->add_option("--measures", options->measures,
                   "measures to print, or all [those of the run; table: the most common]")
      ->type_name("M,...");
  command
      ->add_option("--columns", options->columns,
                   "the columns to print, as rules.csv calls them: id,rule,confidence")
      ->type_name("C,...");
  command
      ->add_option("--sort", options->sort,
                   "by a column, its good end first; with - before it or asc behind it the least "
                   "first, with desc the greatest; of equal ones by the next [as written]")
      ->type_name("FIELD,...");
  command->add_option("--where", options->where, "only the rules that satisfy it")
      ->type_name("EXPR");
  command->add_option("--top", options->top, "the first N rules [all]")->type_name("N");
  command->add_flag("--definitions", options->definitions,
                    "also the rules that only say how attributes depend on each other");
  command->add_flag("--variants", options->variants,
                    "also rules on much the same rows as one before them, each under that rule");
  command->footer(where_help());
  return {command, [command, options](const Context& context) {
            return print_rules(*command, *options, context.report);
          }};
}

}  // namespace atl
