#include "src/results/written/holdout.hpp"

#include <algorithm>
#include <map>

#include "src/core/error.hpp"
#include "src/core/random.hpp"
#include "src/core/text/near_names.hpp"
#include "src/core/text/number.hpp"
#include "src/data/date.hpp"
#include "src/grammar/target_syntax.hpp"
#include "src/measures/significance.hpp"
#include "src/rules/generalisation.hpp"
#include "src/rules/rule_text.hpp"

namespace atl {
namespace {

double log_rule_p(const ContingencyTable& table) {
  const bool of_mean = table.target.side != TargetMoments::Side::none;
  return of_mean ? log_mean_p(table) : log_fisher_p(table);
}

/// The greatest ln p of those that the rule beats one of its generalisations.
double log_productive_p(const Expression& consequent, std::vector<Expression> antecedents,
                        const ContingencyTable& table, const CountingOptions& options,
                        Resident& resident) {
  std::vector<Rule> general;
  for (Expression& antecedent : antecedents) {
    general.push_back({std::move(antecedent), consequent});
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

/// With probability `share`, by a random number of the row's own.
bool is_drawn(std::uint64_t row, double share, std::uint64_t seed) noexcept {
  return RandomStream({.seed = seed,
                       .generation = static_cast<std::uint32_t>(row >> 32),
                       .slot = static_cast<std::uint32_t>(row),
                       .purpose = Purpose::hold_out})
      .chance(share);
}

void draw_share(double share, std::uint64_t seed, RowMask& bits, ThreadPool& pool) {
  constexpr std::uint64_t at_once = 65536;  // a multiple of the rows of a word
  const std::uint64_t pieces = (bits.size() + at_once - 1) / at_once;
  pool.wait(pool.submit(pieces, [&](std::size_t piece, unsigned) {
    const std::uint64_t end = std::min(bits.size(), (piece + 1) * at_once);
    for (std::uint64_t row = piece * at_once; row < end; ++row) {
      if (is_drawn(row, share, seed)) bits.set(row);
    }
  }));
}

Comparison comparison_of(const std::string& condition, std::span<const Attribute> attributes) {
  const std::string source = "--holdout " + in_quotes(condition);
  const std::string name = target_attribute(condition).value_or("");
  const auto found = std::find_if(attributes.begin(), attributes.end(),
                                  [&](const Attribute& a) { return a.name == name; });
  if (found == attributes.end()) {
    std::vector<std::string> names;
    for (const Attribute& a : attributes) names.push_back(a.name);
    throw UsageError("--holdout: no attribute " + in_quotes(name) + suggestion(name, names));
  }
  try {
    return parse_comparison(condition, attributes, source);
  } catch (const BadCell& error) {
    if (error.expected.starts_with("a value of ")) {
      throw UsageError(source + ": no value '" + error.found + "'" +
                       suggestion(error.found, found->labels));
    }
    if (has_numbers(found->kind) && found->distinct() > 0 &&
        error.expected.starts_with("a comparison that ")) {
      throw UsageError(source + " holds on no row: " + in_quotes(name) + " goes from " +
                       value_text(found->low.front(), found->kind) + " to " +
                       value_text(found->high.back(), found->kind));
    }
    throw UsageError(source + ": found '" + error.found + "', expected " + error.expected);
  }
}

/// Sets the bits of rows on which a comparison holds.
void set_where(const std::string& condition, const Dataset& table, RowMask& bits) {
  const Comparison comparison = comparison_of(condition, table.attributes());
  std::vector<std::uint32_t> codes;
  for (std::size_t p = 0; p < table.partitions(); ++p) {
    const std::uint64_t first = table.partition_first_row(p);
    codes.resize(table.partition_rows(p));
    table.codes(p, comparison.attribute, codes);
    for (std::size_t row = 0; row < codes.size(); ++row) {
      if (takes(comparison, codes[row])) bits.set(first + row);
    }
  }
}

void set_numbered(const std::vector<RowRun>& rows, RowMask& bits) {
  if (rows.back().last > bits.size()) {
    throw UsageError("--holdout names row " + std::to_string(rows.back().last) +
                     ", the data have " + counted(bits.size(), "row"));
  }
  for (const RowRun& run : rows) {
    for (std::uint64_t row = run.first; row <= run.last; ++row) bits.set(row - 1);
  }
}

}  // namespace

RowMask held_out_rows(const Experiment& experiment, const Dataset& table, ThreadPool& pool) {
  const HoldoutChoice& choice = experiment.holdout;
  RowMask bits(table.rows());
  if (!choice.condition.empty()) {
    set_where(choice.condition, table, bits);
  } else if (!choice.rows.empty()) {
    set_numbered(choice.rows, bits);
  } else {
    draw_share(choice.share, experiment.seed_of_rows(), bits, pool);
  }
  const std::uint64_t held_out = bits.count();
  if (held_out == 0 || held_out == bits.size()) {
    throw UsageError(
        "--holdout " +
        printable(choice.share > 0 ? format_number(choice.share) : in_quotes(choice.summary())) +
        " of " + counted(bits.size(), "row") + " leaves " + std::to_string(bits.size() - held_out) +
        " to search and " + std::to_string(held_out) + " to test");
  }
  return bits;
}

std::string row_numbers(const RowMask& held_out) {
  std::string text = "row\n";
  for (std::uint64_t row = 0; row < held_out.size(); ++row) {
    if (held_out[row]) text.append(std::to_string(row + 1)).append("\n");
  }
  return text;
}

std::vector<HeldOut> test_rules(std::span<const RuleRecord> records,
                                std::span<const Attribute> attributes, CountingOptions options,
                                Resident& resident, TestFamily family) {
  std::vector<Rule> rules;
  for (const RuleRecord& record : records) rules.push_back(record.rule);
  const auto generalise = [&](std::size_t i) {
    return proper_generalisations(rules[i].antecedent, attributes);
  };
  return test_rules(rules, generalise, std::move(options), resident, family);
}

std::vector<HeldOut> test_rules(std::span<const Rule> rules, const Generalise& generalise,
                                CountingOptions options, Resident& resident, TestFamily family) {
  if (options.mean) options.mean->deviations = true;
  const std::vector<RuleStatistics> counts = resident.count(rules, options);
  std::vector<HeldOut> tests(rules.size());
  std::map<Expression, std::vector<std::size_t>> families;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    families[family == TestFamily::consequent ? rules[i].consequent : Expression()].push_back(i);
    HeldOut& test = tests[i];
    test.table = counts[i].table;
    test.missing_consequent = counts[i].missing_consequent;
    test.p_value = p_value(log_rule_p(test.table));
    test.p_productive = p_value(
        log_productive_p(rules[i].consequent, generalise(i), test.table, options, resident));
  }
  for (const auto& [consequent, members] : families) adjust(tests, members);
  return tests;
}

}  // namespace atl
