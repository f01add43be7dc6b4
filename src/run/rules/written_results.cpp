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
#include "src/core/time_line.hpp"
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

void name_runs(std::span<WrittenRule> rules, const RunOrigins& origins) {
  const auto& first = origins.first_island;
  for (WrittenRule& rule : rules) {
    const auto next = std::upper_bound(first.begin(), first.end(), rule.island);
    const auto run = static_cast<std::size_t>(next - first.begin()) - 1;
    rule.run = origins.names[run];
    rule.island -= first[run];
    name_runs(rule.as_found, origins);
  }
}

/// Leaves out the rules that fail, then those beyond the first `top`, and the variants of rules
/// that are left out. Numbers those that stay from 1.
void keep_significant(std::vector<WrittenRule>& rules, const Experiment& experiment) {
  std::map<std::uint64_t, std::uint64_t> numbers;  // the new one of each that stays
  std::size_t lines = 0;
  std::erase_if(rules, [&](WrittenRule& rule) {
    if (rule.held_out->p_holm > experiment.significance) return true;
    const bool is_apart =
        rule.kind == RuleKind::definition && experiment.definitions == DefinitionChoice::apart;
    if (rule.variant_of) {
      const auto of = numbers.find(*rule.variant_of);
      if (of == numbers.end()) return true;
      rule.variant_of = of->second;
    } else if (!is_apart && lines++ >= experiment.top) {
      return true;
    }
    const std::uint64_t number = numbers.size() + 1;
    numbers.emplace(rule.id, number);
    rule.id = number;
    return false;
  });
}

void report_significant(const RuleList& list, std::size_t tested, const Experiment& experiment,
                        bool by_class, const Report& report) {
  if (experiment.significance == 0 || list.tests.empty()) return;
  const auto significant =
      std::count_if(list.tests.begin(), list.tests.begin() + static_cast<std::ptrdiff_t>(tested),
                    [&](const HeldOut& test) { return test.p_holm <= experiment.significance; });
  report(Severity::info,
         fmt::format("significant on the rows held out, at {} after Holm's adjustment{}: {} of {}",
                     experiment.significance, by_class ? " within each class" : "", significant,
                     counted(tested, "rule")));
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

/// Tests the lines, which are a family, then variants, definitions that are apart, and the rule as
/// it was found, each by themselves, and notes what they say in `rules`.
/// @param attributes  of the rows searched
/// @return [chosen.rules]
std::vector<HeldOut> test_on(Resident& held_out, std::span<const Attribute> attributes,
                             const ChosenRules& chosen, const Experiment& experiment,
                             std::vector<WrittenRule>& rules) {
  const CountingOptions options = counting_options(experiment, attributes);
  const TestFamily family =
      concludes_classes(experiment.aim, attributes) ? TestFamily::consequent : TestFamily::all;
  const auto test = [&](std::span<const RuleRecord> records) {
    std::vector<HeldOut> tests = test_rules(records, attributes, options, held_out, family);
    std::vector<Rule> tested;
    for (const RuleRecord& record : records) tested.push_back(record.rule);
    const auto there = count_quantiles(tested, experiment, attributes, held_out);
    for (std::size_t i = 0; i < there.size(); ++i) tests[i].quantiles = there[i];
    return tests;
  };
  const std::span<const RuleRecord> all = chosen.rules;
  const std::size_t apart = chosen.lines + chosen.variants;
  std::vector<HeldOut> tests;
  for (const auto& part :
       {all.first(chosen.lines), all.subspan(chosen.lines, chosen.variants), all.subspan(apart)}) {
    const auto of_part = test(part);
    tests.insert(tests.end(), of_part.begin(), of_part.end());
  }
  for (std::size_t i = 0; i < rules.size(); ++i) rules[i].held_out = tests[i];
  if (chosen.as_found) rules[0].as_found[0].held_out = test(std::span(&*chosen.as_found, 1))[0];
  return tests;
}

void note(const ChosenRules& chosen, std::vector<WrittenRule>& rules) {
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const ListNote& its = chosen.notes[i];
    if (its.variant_of) rules[i].variant_of = rules[*its.variant_of].id;
    rules[i].new_rows = its.new_rows;
    rules[i].strongest_of = its.strongest_of;
  }
}

}  // namespace

RunChoice choose_run_rules(const Archive& archive, const ChoiceTools& tools) {
  const Experiment& experiment = tools.experiment;
  JobTables& tables = tools.tables;
  Resident& searched = tables.resident(JobTable::search);
  const auto rows_of = [&](ChosenRules list, Resident& resident, JobTable held_out) {
    const TimedPhase phase("exact values");
    Resident* const tester = tables.rows().held_out ? &tables.resident(held_out) : nullptr;
    return RunChoice{std::move(list), resident, tester};
  };
  const Definitions definitions(tools.dependences, experiment.definitions,
                                target_attributes(experiment, tables.rows().search.attributes()));
  if (experiment.bounds == Bounds::binned) {
    return rows_of(
        choose_rules(archive, experiment, tools.grammars, searched, tables.pool(), definitions),
        searched, JobTable::held_out);
  }
  Resident& exact = in_phase(
      "exact values", [&]() -> Resident& { return tables.resident(JobTable::exact_search); });
  return rows_of(choose_rules(archive, experiment, tools.grammars, searched, {exact, tables.pool()},
                              definitions, tools.go_on),
                 exact, JobTable::exact_held_out);
}

MadeList make_list(const Archive& archive, const ChoiceTools& tools, RunLog& log,
                   const RunOrigins* origins) {
  const auto start = std::chrono::steady_clock::now();
  RunChoice chosen = choose_run_rules(archive, tools);
  if (tools.experiment.bounds != Bounds::binned) {
    const RefinementSummary& summary = chosen.list.refinement;
    log.write("refinement", {{"rules", summary.rules},
                             {"improved", summary.improved},
                             {"added", summary.added},
                             {"evaluated", summary.evaluated},
                             {"seconds", seconds_since(start)}});
  }
  RuleList list = list_rules(chosen.list, chosen.searched.dataset().attributes(), tools.experiment,
                             chosen.searched, chosen.held_out, origins);
  return {std::move(chosen), std::move(list)};
}

ColumnChoice RuleList::columns() const {
  return {.measures = measures,
          .held_out = held_out,
          .quantiles = quantiles,
          .runs = runs,
          .repeated = repeated};
}

std::string RuleList::csv() const {
  std::vector<WrittenRule> lines = rules;
  erase_variants(lines);
  return io::rules_csv(lines, columns());
}

std::string RuleList::json() const {
  return io::rules_json(rules, columns());
}

RuleList list_rules(const ChosenRules& chosen, std::span<const Attribute> attributes,
                    const Experiment& experiment, Resident& resident, Resident* held_out,
                    const RunOrigins* origins) {
  RuleList list{.rules = in_phase("texts", [&] { return to_written(chosen.rules, attributes); }),
                .tests = {},
                .measures = measures_named(experiment.measures, experiment.aim.concludes_mean()),
                .held_out = held_out != nullptr,
                .quantiles = experiment.aim.concludes_quantile(),
                .runs = origins != nullptr};
  note(chosen, list.rules);
  std::vector<Rule> rules;
  for (const RuleRecord& record : chosen.rules) rules.push_back(record.rule);
  if (chosen.as_found) {
    list.rules[0].as_found = to_written(std::span(&*chosen.as_found, 1), attributes);
    rules.push_back(chosen.as_found->rule);
  }
  const auto quantiles = in_phase(
      "quantiles", [&] { return count_quantiles(rules, experiment, attributes, resident); });
  for (std::size_t i = 0; i < quantiles.size(); ++i) {
    (i < list.rules.size() ? list.rules[i] : list.rules[0].as_found[0]).quantiles = quantiles[i];
  }
  if (held_out != nullptr) {
    const TimedPhase phase("tests");
    list.tests = test_on(*held_out, attributes, chosen, experiment, list.rules);
  }
  if (origins != nullptr) name_runs(list.rules, *origins);
  if (held_out != nullptr && experiment.significance > 0) keep_significant(list.rules, experiment);
  return list;
}

void write_list(const RuleList& list, std::span<const HistoryRow> history,
                const Experiment& experiment, const io::RunLock& run) {
  const TimedPhase phase("files");
  write_files(run,
              {{io::run_names::rules_csv, list.csv()},
               {io::run_names::rules_json, list.json()},
               {io::run_names::history, io::history_csv(history, experiment.all_maximized())}});
}

// Definitions that are kept apart count as such.
WrittenResults count_written(std::span<const WrittenRule> rules, const Experiment& experiment) {
  WrittenResults written;
  for (const WrittenRule& rule : rules) {
    if (rule.kind == RuleKind::variant) {
      ++written.variants;
    } else if (rule.kind == RuleKind::definition &&
               experiment.definitions == DefinitionChoice::apart) {
      ++written.definitions;
    } else {
      ++written.rules;
    }
  }
  return written;
}

void report_list(const MadeList& made, const FoundRules& found, const Experiment& experiment,
                 const Report& report) {
  const RuleList& list = made.list;
  const ChosenRules& chosen = made.chosen.list;
  const auto attributes = made.chosen.searched.dataset().attributes();
  report_significant(list, chosen.lines, experiment, concludes_classes(experiment.aim, attributes),
                     report);
  if (chosen.rules.empty()) {
    report(Severity::warning, list.runs ? "none of the runs has found a rule"
                                        : why_nothing_was_found(found, experiment, attributes));
  } else {
    const std::size_t shown = count_written(list.rules, experiment).rules;
    report_best(std::span(list.rules).first(shown), list.columns(), report);
  }
  const auto targets = count_targets(experiment, attributes, made.chosen.searched);
  const auto unmet = unmet_targets(experiment, attributes, targets, found.archive.rules(),
                                   std::span(chosen.rules).first(chosen.lines), list.tests);
  for (const std::string& line : unmet) report(Severity::info, line);
}

}  // namespace atl
