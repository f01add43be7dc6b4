#include "src/results/written/holdout.hpp"

#include <algorithm>
#include <map>

#include "src/core/error.hpp"
#include "src/core/random.hpp"
#include "src/core/text/near_names.hpp"
#include "src/core/text/number.hpp"
#include "src/measures/significance.hpp"
#include "src/rules/generalisation.hpp"

namespace atl {
namespace {

double log_rule_p(const ContingencyTable& table) {
  const bool of_mean = table.target.side != TargetMoments::Side::none;
  return of_mean ? log_mean_p(table) : log_fisher_p(table);
}

/// The greatest ln p of those that the rule beats one of its generalisations.
double log_productive_p(const Rule& rule, const ContingencyTable& table,
                        std::span<const Attribute> attributes, const CountingOptions& options,
                        Resident& resident) {
  std::vector<Rule> general;
  for (Expression& antecedent : proper_generalisations(rule.antecedent, attributes)) {
    general.push_back({std::move(antecedent), rule.consequent});
  }
  double greatest = log_rule_p(table);
  for (const RuleStatistics& counts : resident.count(general, options)) {
    greatest = std::max(greatest, log_productive_p(table, counts.table));
  }
  return greatest;
}

/// Adjusts p for the number of rules that are tested together.
void adjust(std::vector<HeldOut>& tests, const std::vector<std::size_t>& together) {
  std::vector<double> p;
  for (const std::size_t i : together)
    p.push_back(std::max(tests[i].p_value, tests[i].p_productive));
  const std::vector<double> by_holm = holm(p);
  const std::vector<double> by_bh = benjamini_hochberg(p);
  for (std::size_t k = 0; k < together.size(); ++k) {
    tests[together[k]].p_holm = by_holm[k];
    tests[together[k]].p_bh = by_bh[k];
  }
}

}  // namespace

bool is_held_out(std::uint64_t row, double share, std::uint64_t seed) noexcept {
  return RandomStream({.seed = seed,
                       .generation = static_cast<std::uint32_t>(row >> 32),
                       .slot = static_cast<std::uint32_t>(row),
                       .purpose = Purpose::hold_out})
      .chance(share);
}

SplitDataset hold_out(Dataset&& whole, double share, std::uint64_t seed) {
  const std::uint64_t rows = whole.rows();
  SplitDataset parts =
      split(std::move(whole), [&](std::uint64_t row) { return is_held_out(row, share, seed); });
  if (parts.rest.rows() == 0 || parts.drawn.rows() == 0) {
    throw UsageError("--holdout " + format_number(share) + " of " + counted(rows, "row") +
                     " leaves " + std::to_string(parts.rest.rows()) + " to search and " +
                     std::to_string(parts.drawn.rows()) + " to test");
  }
  return parts;
}

std::vector<HeldOut> test_rules(std::span<const RuleRecord> records,
                                std::span<const Attribute> attributes, CountingOptions options,
                                Resident& resident, TestFamily family) {
  if (options.mean) options.mean->deviations = true;
  std::vector<Rule> rules;
  for (const RuleRecord& record : records) rules.push_back(record.rule);
  const std::vector<RuleStatistics> counts = resident.count(rules, options);
  std::vector<HeldOut> tests(rules.size());
  std::map<Expression, std::vector<std::size_t>> families;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    families[family == TestFamily::consequent ? rules[i].consequent : Expression()].push_back(i);
    HeldOut& test = tests[i];
    test.table = counts[i].table;
    test.missing_consequent = counts[i].missing_consequent;
    test.p_value = p_value(log_rule_p(test.table));
    test.p_productive =
        p_value(log_productive_p(rules[i], test.table, attributes, options, resident));
  }
  for (const auto& [consequent, members] : families) adjust(tests, members);
  return tests;
}

}  // namespace atl
