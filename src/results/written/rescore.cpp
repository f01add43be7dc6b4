#include "src/results/written/rescore.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "src/core/error.hpp"
#include "src/core/text/near_names.hpp"
#include "src/eval/counting_options.hpp"
#include "src/measures/measures.hpp"
#include "src/measures/significance.hpp"
#include "src/results/written/holdout.hpp"
#include "src/results/written/quantiles.hpp"
#include "src/rules/class_target.hpp"
#include "src/rules/generalisation.hpp"
#include "src/rules/rule_text.hpp"

namespace atl {

namespace {

constexpr double level = 0.05;

bool orders(const std::string& relation) {
  return relation.starts_with('<') || relation.starts_with('>');
}

std::string values_of(AttributeKind kind) {
  if (is_date(kind)) return std::string(to_string(kind)) + " values";
  return kind == AttributeKind::numeric ? "numbers" : "labels";
}

void require_column(const WrittenComparison& comparison, const Dataset& data,
                    const std::string& source) {
  const auto found = data.find(comparison.attribute);
  const std::string column = "column '" + printable(comparison.attribute) + "'";
  if (!found) {
    std::vector<std::string> names;
    for (const Attribute& attribute : data.attributes()) names.push_back(attribute.name);
    throw BadData(source, missing_column(comparison.attribute, names));
  }
  if (comparison.values.empty() && comparison.relation.starts_with("is "))
    return;  // missing, known
  const AttributeKind kind = data.attributes()[*found].kind;
  const bool fits = has_numbers(comparison.kind) ? kind == comparison.kind : !has_numbers(kind);
  if (!fits) {
    throw BadData(source, fmt::format("{} is {}, the run's rules have {} for it", column,
                                      to_string(kind), values_of(comparison.kind)));
  }
  if (orders(comparison.relation) && kind == AttributeKind::nominal) {
    throw BadData(source, column + " is nominal, the run's rules compare its order");
  }
}

/// p of equal confidence on both data, the lesser one-sided p, doubled; or of equal means.
double p_of_change(const ContingencyTable& before, const ContingencyTable& after) {
  if (before.target.side != TargetMoments::Side::none) return mean_change_p(before, after);
  const std::uint64_t n = before.n_antecedent + after.n_antecedent;
  const std::uint64_t hits = before.n_both + after.n_both;
  const double log_p_rise = log_fisher_p({n, after.n_antecedent, hits, after.n_both});
  const double log_p_fall =
      log_fisher_p({n, after.n_antecedent, n - hits, after.n_antecedent - after.n_both});
  return two_sided_p_value(std::min(log_p_rise, log_p_fall));
}

Drift drift_of(const Rescored& rescored, double adjusted_p) {
  const bool of_mean = rescored.table.target.side != TargetMoments::Side::none;
  const std::uint64_t rows = of_mean ? rescored.table.n_both : rescored.table.n_antecedent;
  if (rows == 0) return Drift::gone;
  if (!(adjusted_p <= level)) return Drift::kept;
  return rescored.change < 0 ? Drift::fell : Drift::rose;
}

}  // namespace

ClaimedCounts claimed(const RuleRecord& record) {
  return {&record.rule, record.table, record.missing_consequent};
}

void expect_counts(std::span<const ClaimedCounts> claims, CountingOptions options,
                   Resident& resident) {
  options.coverage_hashes = false;
  std::vector<Rule> rules;
  rules.reserve(claims.size());
  for (const ClaimedCounts& claim : claims) rules.push_back(*claim.rule);
  const std::vector<RuleStatistics> counts = resident.count(rules, options);
  for (std::size_t i = 0; i < claims.size(); ++i) {
    ContingencyTable table = counts[i].table;
    table.n_general_antecedent = claims[i].table.n_general_antecedent;
    table.n_general_both = claims[i].table.n_general_both;
    const auto* supports = claims[i].comparison_supports;
    const bool same = table == claims[i].table &&
                      counts[i].missing_consequent == claims[i].missing_consequent &&
                      (supports == nullptr || *supports == counts[i].comparison_supports);
    if (!same) throw BadBytes("a rule has other counts in it than on the data");
  }
}

void expect_counts(std::span<const RuleRecord> rules, const CountingOptions& options,
                   Resident& resident) {
  std::vector<ClaimedCounts> claims;
  for (const RuleRecord& record : rules) claims.push_back(claimed(record));
  expect_counts(claims, options, resident);
}

namespace {

/// The generalisations of a rule by its own bounds, whatever values the other data have.
std::vector<Expression> generalisations_of(const WrittenRule& rule, const Rule& there,
                                           std::span<const Attribute> attributes) {
  std::vector<std::uint8_t> intervals;
  for (const WrittenComparison& c : rule.antecedent) intervals.push_back(c.relation == "in");
  return proper_generalisations(there.antecedent, attributes, intervals);
}

enum class Tested { lines, variants, definitions };

/// The rules that a rule is tested along with.
Tested tested_with(const WrittenRule& rule, const Experiment& experiment) {
  if (rule.kind == RuleKind::variant) return Tested::variants;
  const bool apart =
      rule.kind == RuleKind::definition && experiment.definitions == DefinitionChoice::apart;
  return apart ? Tested::definitions : Tested::lines;
}

/// Tests the rules as those held out are: lines, variants and definitions each by themselves.
/// @param there  [rules] on the resident's rows
void test(std::vector<WrittenRule>& rules, std::span<const Rule> there, Resident& resident,
          const CountingOptions& options, const Experiment& experiment) {
  const auto attributes = resident.dataset().attributes();
  const TestFamily family =
      concludes_classes(experiment.aim, attributes) ? TestFamily::consequent : TestFamily::all;
  for (const Tested part : {Tested::lines, Tested::variants, Tested::definitions}) {
    std::vector<std::size_t> members;
    std::vector<Rule> tested;
    for (std::size_t i = 0; i < rules.size(); ++i) {
      if (tested_with(rules[i], experiment) != part) continue;
      members.push_back(i);
      tested.push_back(there[i]);
    }
    const auto generalise = [&](std::size_t k) {
      return generalisations_of(rules[members[k]], tested[k], attributes);
    };
    const auto tests = test_rules(tested, generalise, options, resident, family);
    for (std::size_t k = 0; k < members.size(); ++k) {
      Rescored& its = *rules[members[k]].rescored;
      its.p_value = tests[k].p_value;
      its.p_productive = tests[k].p_productive;
      its.p_holm = tests[k].p_holm;
      its.p_bh = tests[k].p_bh;
    }
  }
}

}  // namespace

void rescore(std::vector<WrittenRule>& rules, Resident& resident, const Experiment& experiment,
             const std::string& source) {
  const Dataset& data = resident.dataset();
  std::vector<Rule> there;
  for (const WrittenRule& rule : rules) {
    for (const auto* side : {&rule.antecedent, &rule.consequent}) {
      for (const WrittenComparison& c : *side) require_column(c, data, source);
    }
    there.push_back(parse_rule(rule.text, data.attributes(), "rule " + std::to_string(rule.id),
                               Unseen::never_holds));
  }
  CountingOptions options = counting_options(experiment, data.attributes());
  if (options.mean) options.mean->deviations = true;
  const std::vector<RuleStatistics> counts = resident.count(there, options);
  std::vector<double> p;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const ContingencyTable& table = counts[i].table;
    const Measure main = main_measure(rules[i]);
    rules[i].rescored = {.table = table,
                         .missing_consequent = counts[i].missing_consequent,
                         .change = evaluate(main, table) - evaluate(main, rules[i].table),
                         .p_change = p_of_change(rules[i].table, table)};
    p.push_back(rules[i].rescored->p_change);
  }
  test(rules, there, resident, options, experiment);
  const auto quantiles = count_quantiles(there, experiment, data.attributes(), resident);
  for (std::size_t i = 0; i < quantiles.size(); ++i) rules[i].rescored->quantiles = quantiles[i];
  const std::vector<double> adjusted = benjamini_hochberg(p);
  for (std::size_t i = 0; i < rules.size(); ++i) {
    rules[i].rescored->drift = drift_of(*rules[i].rescored, adjusted[i]);
  }
}

std::string drift_summary(std::span<const WrittenRule> rules, const std::string& source) {
  std::array<std::size_t, 4> number{};
  for (const WrittenRule& rule : rules) ++number[static_cast<std::size_t>(rule.rescored->drift)];
  return fmt::format("{} on {}: {} kept their {}, {} fell, {} rose, {} no longer apply",
                     counted(rules.size(), "rule"), printable(source, 200), number[0],
                     !rules.empty() && of_mean(rules.front()) ? "mean" : "confidence", number[1],
                     number[2], number[3]);
}

}  // namespace atl
