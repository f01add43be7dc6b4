#include "islands/archipelago.hpp"
#include "islands/redundancy.hpp"
#include "src/core/error.hpp"

namespace atl {

std::vector<RuleRecord> final_rules(const RunState& state, const Experiment& experiment,
                                    std::span<const Attribute> attributes, Evaluator& evaluator) {
  const auto records = state.archive.rules();
  if (records.empty()) return {};
  std::vector<Rule> rules;
  rules.reserve(records.size());
  for (const RuleRecord& record : records) rules.push_back(record.rule);
  EvaluateOptions options;
  options.coverage_hashes = true;
  options.exclude_missing_consequent = experiment.missing_consequent == MissingConsequent::exclude;
  std::vector<RuleCounts> counts(rules.size());
  evaluator.wait(evaluator.submit(rules, options), counts);
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (counts[i].table != records[i].table) {
      throw InternalError("a rule of the archive has other counts when counted again");
    }
  }
  return remove_redundant(records, counts, attributes, experiment.top);
}

}  // namespace atl
