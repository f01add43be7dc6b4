#include "src/app/run_results.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "io/rule_file.hpp"

namespace atl {

namespace {

std::string why_nothing_was_found(const RunState& state, const Experiment& experiment) {
  std::uint64_t evaluated = 0;
  for (const HistoryRow& row : state.history) {
    if (row.generation == state.header.generation) evaluated += row.evaluated;
  }
  std::string conditions =
      fmt::format("support of at least {}, confidence of at least {}",
                  experiment.min_support.to_string(), experiment.min_confidence);
  if (experiment.preset == "pareto") {
    conditions += fmt::format(", lift above 1, a consequent on at most {} of the rows",
                              experiment.max_consequent);
  }
  return fmt::format("no rule found: none of {} evaluated has {}", evaluated, conditions);
}

void report_best(std::span<const io::WrittenRule> rules, const Report& report) {
  constexpr std::size_t shown = 5;
  std::istringstream table(io::rules_table(rules.first(std::min(shown, rules.size())), 0));
  for (std::string line; std::getline(table, line);) report(Severity::info, line);
}

}  // namespace

std::size_t write_results(const RunState& state, const Experiment& experiment,
                          const Dataset& dataset, Evaluator& evaluator,
                          const io::RunPaths& paths, const Report& report) {
  const auto rules =
      io::to_written(final_rules(state, experiment, dataset, evaluator), dataset.attributes());
  io::write_file(paths.rules_csv, io::rules_csv(rules));
  io::write_file(paths.rules_json, io::rules_json(rules));
  io::write_file(paths.history, io::history_csv(state.history, experiment.maximize));
  if (rules.empty()) {
    report(Severity::warning, why_nothing_was_found(state, experiment));
  } else {
    report_best(rules, report);
  }
  return rules.size();
}

}  // namespace atl
