#include "src/results/choice/confounded.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "src/measures/measures.hpp"

namespace atl {

namespace {

// Less than this of a rule's leverage, and of what it could be, is not worth a rule of its own.
constexpr double own_share = 0.5;

// Do they name the same attributes?
bool about_the_same(const Expression& a, const Expression& b) {
  const auto names = [](const Expression& one, const Expression& other) {
    const auto of_other = other.comparisons();
    return std::all_of(one.comparisons().begin(), one.comparisons().end(), [&](const auto& c) {
      return std::any_of(of_other.begin(), of_other.end(),
                         [&](const auto& d) { return c.attribute == d.attribute; });
    });
  };
  return names(a, b) && names(b, a);
}

/// Counts of some rows.
struct Rows {
  Rows(std::uint64_t all, std::uint64_t of_antecedent, std::uint64_t of_consequent,
       std::uint64_t of_both)
      : n(static_cast<double>(all)),
        antecedent(static_cast<double>(of_antecedent)),
        expected(all == 0 ? 0 : antecedent * static_cast<double>(of_consequent) / n),
        both(static_cast<double>(of_both)) {}

  /// Rows of both sides beyond those to be expected: n times the leverage.
  double excess() const { return both - expected; }
  /// What that would be if the consequent held on all of the antecedent's.
  double most() const { return antecedent - expected; }

  double n, antecedent, expected, both;
};

/// A rule's rows where another antecedent holds, and where it does not.
struct Strata {
  /// @param given   the other antecedent implies the rule's consequent
  /// @param inside  both antecedents imply it
  Strata(const ContingencyTable& rule, const ContingencyTable& given,
         const ContingencyTable& inside)
      : all{Rows(given.n_antecedent, inside.n_antecedent, given.n_both, inside.n_both),
            Rows(rule.n - given.n_antecedent, rule.n_antecedent - inside.n_antecedent,
                 rule.n_consequent - given.n_both, rule.n_both - inside.n_both)} {}

  double excess() const { return all[0].excess() + all[1].excess(); }
  double most() const { return all[0].most() + all[1].most(); }
  /// Is the rule's antecedent more frequent where the other one holds?
  bool leans_in() const { return all[0].antecedent * all[1].n > all[1].antecedent * all[0].n; }

  std::array<Rows, 2> all;
};

}  // namespace

const RuleRecord* confounder(const RuleRecord& rule, std::span<const RuleRecord> better,
                             CountedRules& counted) {
  const ContingencyTable& table = rule.table;
  const double excess =
      Rows(table.n, table.n_antecedent, table.n_consequent, table.n_both).excess();
  if (counted.options().mean || excess <= 0) return nullptr;
  const Expression& conclusion = rule.rule.consequent;
  std::vector<Rule> rules;
  std::vector<const RuleRecord*> asked;
  for (const RuleRecord& b : better) {
    if (!about_the_same(conclusion, b.rule.consequent)) continue;
    asked.push_back(&b);
    rules.push_back({b.rule.antecedent, conclusion});
    rules.push_back({both(b.rule.antecedent, rule.rule.antecedent), conclusion});
    rules.push_back({b.rule.consequent, conclusion});
  }
  const std::vector<RuleStatistics> counts = counted.count(rules);
  const double lift = evaluate(Measure::lift, table);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const Strata strata(table, counts[3 * i].table, counts[3 * i + 1].table);
    const bool exclusive = counts[3 * i + 2].table.n_both == 0;
    if (exclusive && (strata.leans_in() || lift > evaluate(Measure::lift, asked[i]->table))) {
      continue;
    }
    if (strata.excess() < own_share * excess && strata.excess() < own_share * strata.most()) {
      return asked[i];
    }
  }
  return nullptr;
}

}  // namespace atl
