#include "islands/recount.hpp"

#include <vector>

namespace atl {
namespace {

struct Said {
  const Rule* rule;
  ContingencyTable table;
  std::uint64_t missing_consequent;
  const SmallVector<std::uint64_t, 8>* comparison_supports;  // null: none
};

void expect(const std::vector<Said>& said, EvaluateOptions options, Evaluator& evaluator) {
  options.coverage_hashes = false;
  std::vector<Rule> rules;
  rules.reserve(said.size());
  for (const Said& one : said) rules.push_back(*one.rule);
  const std::vector<RuleCounts> counts = count(rules, options, evaluator);
  for (std::size_t i = 0; i < said.size(); ++i) {
    ContingencyTable table = counts[i].table;
    table.n_wider_antecedent = said[i].table.n_wider_antecedent;
    table.n_wider_both = said[i].table.n_wider_both;
    const auto* supports = said[i].comparison_supports;
    const bool same = table == said[i].table &&
                      counts[i].missing_consequent == said[i].missing_consequent &&
                      (supports == nullptr || *supports == counts[i].comparison_supports);
    if (!same) throw BadBytes("a rule has other counts in it than on the data");
  }
}

void add(std::vector<Said>& said, std::span<const RuleRecord> rules) {
  for (const RuleRecord& record : rules) {
    said.push_back({&record.rule, record.table, record.missing_consequent, nullptr});
  }
}

}  // namespace

void expect_counts(std::span<const RuleRecord> rules, const EvaluateOptions& options,
                   Evaluator& evaluator) {
  std::vector<Said> said;
  add(said, rules);
  expect(said, options, evaluator);
}

void expect_counts(const RunState& run, const EvaluateOptions& options, Evaluator& evaluator) {
  std::vector<Said> said;
  for (const IslandState& island : run.islands) {
    for (const auto* group : {&island.population, &island.pool}) {
      for (const Individual& individual : *group) {
        const RuleCounts& counts = individual.counts;
        said.push_back({&individual.rule, counts.table, counts.missing_consequent,
                        options.comparison_supports ? &counts.comparison_supports : nullptr});
      }
    }
  }
  const std::vector<RuleRecord> archived = run.archive.rules();
  add(said, archived);
  expect(said, options, evaluator);
}

}  // namespace atl
