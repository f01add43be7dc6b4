#include "islands/explained.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "src/rules/measures.hpp"

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

Expression both(const Expression& a, const Expression& b) {
  std::vector<Op> program(a.program().begin(), a.program().end());
  program.insert(program.end(), b.program().begin(), b.program().end());
  program.push_back(Op::conjunction);
  std::vector<Comparison> comparisons(a.comparisons().begin(), a.comparisons().end());
  comparisons.insert(comparisons.end(), b.comparisons().begin(), b.comparisons().end());
  return {program, comparisons};
}

/// Counts of rows, of all or of some.
struct Rows {
  double n, antecedent, consequent, both;

  /// Rows of both sides beyond those to be expected: n times the leverage.
  double excess() const { return n == 0 ? 0 : both - antecedent * consequent / n; }
  /// What that would be if the consequent held on all of the antecedent's.
  double most() const { return n == 0 ? 0 : antecedent - antecedent * consequent / n; }
};

Rows rows_of(const ContingencyTable& t) {
  return {static_cast<double>(t.n), static_cast<double>(t.n_antecedent),
          static_cast<double>(t.n_consequent), static_cast<double>(t.n_both)};
}

/// A rule's rows where another antecedent holds, and where it does not.
struct Strata {
  /// @param given   the other antecedent implies the rule's consequent
  /// @param inside  both antecedents imply it
  Strata(const ContingencyTable& rule, const ContingencyTable& given,
         const ContingencyTable& inside)
      : all{Rows{static_cast<double>(given.n_antecedent), static_cast<double>(inside.n_antecedent),
                 static_cast<double>(given.n_both), static_cast<double>(inside.n_both)},
            Rows{static_cast<double>(rule.n - given.n_antecedent),
                 static_cast<double>(rule.n_antecedent - inside.n_antecedent),
                 static_cast<double>(rule.n_consequent - given.n_both),
                 static_cast<double>(rule.n_both - inside.n_both)}} {}

  double excess() const { return all[0].excess() + all[1].excess(); }
  double most() const { return all[0].most() + all[1].most(); }
  /// Is the rule's antecedent more frequent where the other one holds?
  bool leans_in() const { return all[0].antecedent * all[1].n > all[1].antecedent * all[0].n; }

  std::array<Rows, 2> all;
};

}  // namespace

bool explained(const RuleRecord& rule, std::span<const RuleRecord> better,
               const EvaluateOptions& options, Evaluator& evaluator) {
  const double excess = rows_of(rule.table).excess();
  if (options.mean || excess <= 0) return false;
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
  const std::vector<RuleCounts> counts = count(rules, options, evaluator);
  const double lift = evaluate(Measure::lift, rule.table);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const Strata strata(rule.table, counts[3 * i].table, counts[3 * i + 1].table);
    const bool exclusive = counts[3 * i + 2].table.n_both == 0;
    if (exclusive && (strata.leans_in() || lift > evaluate(Measure::lift, asked[i]->table))) {
      continue;
    }
    if (strata.excess() < own_share * excess && strata.excess() < own_share * strata.most()) {
      return true;
    }
  }
  return false;
}

}  // namespace atl
