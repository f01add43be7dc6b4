#include <algorithm>

#include <fmt/format.h>

#include "io/rule_file.hpp"
#include "io/run_folder.hpp"
#include "src/app/commands.hpp"
#include "src/app/option_values.hpp"
#include "src/app/standard_streams.hpp"
#include "src/app/where.hpp"
#include "src/rules/measures.hpp"

namespace atl {

namespace {

struct RulesOptions {
  std::string run;
  std::string format = "table";
  std::string sort;
  std::string where;
  std::string top;
};

std::vector<io::WrittenRule> read_rules(const std::string& run) {
  io::require_run(run);
  const io::RunPaths paths(run);
  try {
    return io::parse_rules_json(io::read_file(paths.rules_json), paths.rules_json);
  } catch (const MissingInput&) {
    throw MissingInput(paths.rules_json,
                       "no rules yet: they are written when a job of the run ends");
  }
}

void sort_by(std::vector<io::WrittenRule>& rules, const RuleField& field) {
  std::stable_sort(rules.begin(), rules.end(),
                   [&](const io::WrittenRule& a, const io::WrittenRule& b) {
                     return by_measure(field(a), field(b)) < 0;
                   });
}

ExitStatus print_rules(const CLI::App& command, const RulesOptions& options, const Report& report) {
  // Options are checked before the file is read.
  const auto given = [&](const char* name) { return command.count(name) != 0; };
  const RuleFilter filter = given("--where") ? parse_where(options.where) : nullptr;
  const std::size_t top =
      given("--top") ? whole_number_option("--top", options.top) : ~std::size_t{0};
  const RuleField field =
      given("--sort") ? option_value("--sort", [&] { return rule_field_named(options.sort); })
                      : nullptr;

  std::vector<io::WrittenRule> rules = read_rules(options.run);
  const std::size_t written = rules.size();
  if (filter) std::erase_if(rules, [&](const io::WrittenRule& rule) { return !filter(rule); });
  if (written == 0) {
    report(Severity::info, "the run has found no rules");
  } else if (rules.empty()) {
    report(Severity::info, fmt::format("none of {} rules satisfies --where", written));
  }
  if (field) sort_by(rules, field);
  if (rules.size() > top) rules.resize(top);

  if (options.format == "csv") {
    write_stdout(io::rules_csv(rules));
  } else if (options.format == "json") {
    write_stdout(io::rules_json(rules));
  } else {
    write_stdout(io::rules_table(rules, stdout_columns()));
  }
  return ExitStatus::done;
}

}  // namespace

Command add_rules(CLI::App& program) {
  auto options = std::make_shared<RulesOptions>();
  CLI::App* command = program.add_subcommand("rules", "Print the rules of a run");
  command->add_option("RUN", options->run, "Folder of the run")->required()->type_name("");
  command->add_option("--format", options->format, "table, csv or json [table]")
      ->type_name("FORMAT")
      ->check(CLI::IsMember({"table", "csv", "json"}))
      ->option_text("table|csv|json");
  command->add_option("--sort", options->sort, "greatest of this field first [as written]")
      ->type_name("FIELD");
  command->add_option("--where", options->where, "only the rules that satisfy it")
      ->type_name("EXPR");
  command->add_option("--top", options->top, "the first N rules [all]")->type_name("N");
  command->footer(where_help());
  return {command, [command, options](const Context& context) {
            return print_rules(*command, *options, context.report);
          }};
}

}  // namespace atl
