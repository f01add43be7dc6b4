#include "src/run/rules/written_results.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <map>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "io/results/rule_file.hpp"
#include "io/run/run_files.hpp"
#include "src/core/stopwatch.hpp"
#include "src/core/text/near_names.hpp"
#include "src/eval/counting_options.hpp"
#include "src/results/choice/redundancy.hpp"
#include "src/results/written/holdout.hpp"
#include "src/results/written/quantiles.hpp"
#include "src/results/written/unmet_targets.hpp"
#include "src/rules/class_target.hpp"
#include "src/run/data/dependences.hpp"
#include "src/work/standard_streams.hpp"

namespace atl {
namespace {

std::string why_nothing_was_found(const FoundRules& found, const Experiment& experiment,
                                  std::span<const Attribute> attributes) {
  std::map<std::uint32_t, std::uint64_t> by_island;
  for (const HistoryRow& row : found.history) by_island[row.island] = row.evaluated;
  std::uint64_t evaluated = 0;
  for (const auto& [island, its] : by_island) evaluated += its;
  if (experiment.aim.concludes_mean()) {
    return fmt::format(
        "no rule found: none of {} evaluated has support of at least {} and a mean "
        "on the side asked for",
        evaluated, experiment.min_support.to_string());
  }
  std::string conditions = fmt::format(
      "support of at least {}{}, confidence of at least {}", experiment.min_support.to_string(),
      concludes_classes(experiment.aim, attributes) ? " or a tenth of its class" : "",
      experiment.min_confidence);
  if (experiment.algorithm->traits.associations) {
    conditions += fmt::format(", lift above 1, a consequent on at most {} of the rows",
                              experiment.max_consequent());
  }
  return fmt::format("no rule found: none of {} evaluated has {}", evaluated, conditions);
}

void name_runs(std::vector<WrittenRule>& rules, const RunOrigins& origins) {
  const auto& first = origins.first_island;
  for (WrittenRule& rule : rules) {
    const auto next = std::upper_bound(first.begin(), first.end(), rule.island);
    const auto run = static_cast<std::size_t>(next - first.begin()) - 1;
    rule.run = origins.names[run];
    rule.island -= first[run];
  }
}

/// Numbers those that stay from 1.
void keep_significant(std::vector<WrittenRule>& rules, double level) {
  std::erase_if(rules, [&](const WrittenRule& rule) { return rule.held_out->p_holm > level; });
  for (std::size_t i = 0; i < rules.size(); ++i) rules[i].id = i + 1;
}

void report_significant(const RuleList& list, const Experiment& experiment, bool by_class,
                        const Report& report) {
  if (experiment.significance == 0 || list.tests.empty()) return;
  report(Severity::info,
         fmt::format("significant on the rows held out, at {} after Holm's adjustment{}: {} of {}",
                     experiment.significance, by_class ? " within each class" : "",
                     list.rules.size(), counted(list.tests.size(), "rule")));
}

void report_best(std::span<const WrittenRule> rules, ColumnChoice columns, const Report& report) {
  constexpr std::size_t shown = 5;
  if (rules.empty()) return;
  columns.measures = table_measures(rules);
  columns.gives_way = true;
  constexpr std::size_t most_of_a_rule = 1000;  // bytes: labels may be long
  const auto first = rules.first(std::min(shown, rules.size()));
  std::vector<WrittenRule> best(first.begin(), first.end());
  for (WrittenRule& rule : best) rule.text = printable(rule.text, most_of_a_rule);
  std::istringstream table(io::rules_table(best, stderr_columns(), columns));
  for (std::string line; std::getline(table, line);) report(Severity::info, line);
}

void report_variants(std::size_t variants, const Report& report) {
  if (variants == 0) return;
  report(Severity::info,
         fmt::format("the last {} a variant: like a better rule, but with the others {} more of "
                     "what is aimed at",
                     variants == 1 ? "rule is" : fmt::format("{} rules are each", variants),
                     variants == 1 ? "it covers" : "they cover"));
}

/// Each that can be written, by name and content. @throws what the first threw that cannot be
void write_files(const io::RunLock& run,
                 const std::vector<std::pair<std::string, std::string>>& files) {
  std::exception_ptr failure;
  for (const auto& [name, content] : files) {
    try {
      io::write_file(run, name, content);
    } catch (const Error&) {
      if (!failure) failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

/// Tests the rules on rows held out and notes what they say in `rules`.
/// @param attributes  of the rows searched
/// @param records  those that are written, definitions kept apart last
/// @param apart    how many come before these, which are no part of the family
/// @return [records]
std::vector<HeldOut> test_on(Resident& held_out, std::span<const Attribute> attributes,
                             std::span<const RuleRecord> records, std::size_t apart,
                             std::span<const Rule> chosen, const Experiment& experiment,
                             std::vector<WrittenRule>& rules) {
  const CountingOptions options = counting_options(experiment, attributes);
  const TestFamily family =
      concludes_classes(experiment.aim, attributes) ? TestFamily::consequent : TestFamily::all;
  std::vector<HeldOut> tests;
  for (const auto& part : {records.first(apart), records.subspan(apart)}) {
    const auto of_part = test_rules(part, attributes, options, held_out, family);
    tests.insert(tests.end(), of_part.begin(), of_part.end());
  }
  for (std::size_t i = 0; i < rules.size(); ++i) rules[i].held_out = tests[i];
  const auto there = count_quantiles(chosen, experiment, attributes, held_out);
  for (std::size_t i = 0; i < there.size(); ++i) rules[i].held_out->quantiles = there[i];
  return tests;
}

/// Definitions that are kept apart count as such.
WrittenResults count_written(std::vector<WrittenRule> rules, const Experiment& experiment) {
  WrittenResults written{.rules = rules.size()};
  if (experiment.definitions == DefinitionChoice::apart) {
    written.definitions = erase_definitions(rules);
    written.rules = rules.size();
  }
  written.variants = static_cast<std::size_t>(
      std::count_if(rules.begin(), rules.end(),
                    [](const WrittenRule& rule) { return rule.kind == RuleKind::variant; }));
  return written;
}

}  // namespace

RunChoice choose_run_rules(const Archive& archive, const ChoiceTools& tools) {
  const Experiment& experiment = tools.experiment;
  JobTables& tables = tools.tables;
  Resident& searched = tables.resident(JobTable::search);
  const auto rows_of = [&](ChosenRules list, Resident& resident, JobTable held_out) {
    Resident* const tester = tables.rows().held_out ? &tables.resident(held_out) : nullptr;
    return RunChoice{std::move(list), resident, tester};
  };
  const Definitions definitions(tools.dependences, experiment.definitions,
                                target_attributes(experiment, tables.rows().search.attributes()));
  if (experiment.bounds == Bounds::binned) {
    return rows_of(choose_rules(archive, experiment, searched, definitions), searched,
                   JobTable::held_out);
  }
  Resident& exact = tables.resident(JobTable::exact_search);
  return rows_of(choose_rules(archive, experiment, tools.grammars, searched, {exact, tables.pool()},
                              definitions, tools.go_on),
                 exact, JobTable::exact_held_out);
}

WrittenResults write_chosen_rules(const FoundRules& found, const ChoiceTools& tools,
                                  const io::RunLock& run, RunLog& log, const Report& report,
                                  const RunOrigins* origins) {
  const auto start = std::chrono::steady_clock::now();
  const RunChoice chosen = choose_run_rules(found.archive, tools);
  const ChosenRules& list = chosen.list;
  if (tools.experiment.bounds != Bounds::binned) {
    const RefinementSummary& summary = list.refinement;
    log.write("refinement", {{"rules", summary.rules},
                             {"improved", summary.improved},
                             {"added", summary.added},
                             {"evaluated", summary.evaluated},
                             {"seconds", seconds_since(start)}});
  }
  WrittenResults written =
      write_results(list.rules, chosen.searched.dataset().attributes(), found, tools.experiment,
                    chosen.searched, chosen.held_out, run, report, origins);
  written.alike = list.alike;
  written.complete = list.complete;
  return written;
}

ColumnChoice RuleList::columns() const {
  return {.measures = measures, .held_out = held_out, .quantiles = quantiles, .runs = runs};
}

RuleList list_rules(std::span<const RuleRecord> records, std::span<const Attribute> attributes,
                    const Experiment& experiment, Resident& resident, Resident* held_out,
                    const RunOrigins* origins) {
  RuleList list{.rules = to_written(records, attributes),
                .tests = {},
                .measures = measures_named(experiment.measures, experiment.aim.concludes_mean()),
                .held_out = held_out != nullptr,
                .quantiles = experiment.aim.concludes_quantile(),
                .runs = origins != nullptr};
  if (origins != nullptr) name_runs(list.rules, *origins);
  const auto is_rule = [&](const RuleRecord& record) {
    return record.kind != RuleKind::definition ||
           experiment.definitions == DefinitionChoice::include;
  };
  const auto apart =
      static_cast<std::size_t>(std::count_if(records.begin(), records.end(), is_rule));
  std::vector<Rule> chosen;
  for (const RuleRecord& record : records) chosen.push_back(record.rule);
  const auto quantiles = count_quantiles(chosen, experiment, attributes, resident);
  for (std::size_t i = 0; i < quantiles.size(); ++i) list.rules[i].quantiles = quantiles[i];
  if (held_out == nullptr) return list;
  list.tests = test_on(*held_out, attributes, records, apart, chosen, experiment, list.rules);
  if (experiment.significance > 0) keep_significant(list.rules, experiment.significance);
  return list;
}

WrittenResults write_results(std::span<const RuleRecord> records,
                             std::span<const Attribute> attributes, const FoundRules& found,
                             const Experiment& experiment, Resident& resident, Resident* held_out,
                             const io::RunLock& run, const Report& report,
                             const RunOrigins* origins) {
  const RuleList list = list_rules(records, attributes, experiment, resident, held_out, origins);
  report_significant(list, experiment, concludes_classes(experiment.aim, attributes), report);
  const ColumnChoice columns = list.columns();
  write_files(
      run, {{io::run_names::rules_csv, io::rules_csv(list.rules, columns)},
            {io::run_names::rules_json, io::rules_json(list.rules, columns)},
            {io::run_names::history, io::history_csv(found.history, experiment.all_maximized())}});
  const WrittenResults written = count_written(list.rules, experiment);
  if (records.empty()) {
    report(Severity::warning, origins != nullptr
                                  ? "none of the runs has found a rule"
                                  : why_nothing_was_found(found, experiment, attributes));
  } else {
    report_best(std::span(list.rules).first(written.rules), columns, report);
    report_variants(written.variants, report);
  }
  const auto targets = count_targets(experiment, attributes, resident);
  const auto unmet =
      unmet_targets(experiment, attributes, targets, found.archive.rules(), records, list.tests);
  for (const std::string& line : unmet) report(Severity::info, line);
  return written;
}

}  // namespace atl
