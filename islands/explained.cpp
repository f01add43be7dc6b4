#include "islands/explained.hpp"

#include <algorithm>
#include <vector>

namespace atl {

namespace {

// Least share of a rule's leverage that is its own.
constexpr double least_share = 0.5;

bool about_the_same(const Expression& a, const Expression& b) {
  return std::equal(a.comparisons().begin(), a.comparisons().end(), b.comparisons().begin(),
                    b.comparisons().end(), [](const Comparison& x, const Comparison& y) {
                      return x.attribute == y.attribute;
                    });
}

Expression both(const Expression& a, const Expression& b) {
  std::vector<Op> program(a.program().begin(), a.program().end());
  program.insert(program.end(), b.program().begin(), b.program().end());
  program.push_back(Op::conjunction);
  std::vector<Comparison> comparisons(a.comparisons().begin(), a.comparisons().end());
  comparisons.insert(comparisons.end(), b.comparisons().begin(), b.comparisons().end());
  return {program, comparisons};
}

// Rows of both sides beyond those to be expected, n times the leverage.
double excess(double n, double antecedent, double consequent, double both) {
  return n == 0 ? 0 : both - antecedent * consequent / n;
}

double excess(const ContingencyTable& t) {
  return excess(static_cast<double>(t.n), static_cast<double>(t.n_antecedent),
                static_cast<double>(t.n_consequent), static_cast<double>(t.n_both));
}

// @param given   the better antecedent implies the rule's consequent
// @param inside  both antecedents imply it
double excess_given(const ContingencyTable& t, const ContingencyTable& given,
                    const ContingencyTable& inside) {
  const auto within = static_cast<double>(given.n_antecedent);
  return excess(within, static_cast<double>(inside.n_antecedent), static_cast<double>(given.n_both),
                static_cast<double>(inside.n_both)) +
         excess(static_cast<double>(t.n) - within,
                static_cast<double>(t.n_antecedent - inside.n_antecedent),
                static_cast<double>(t.n_consequent - given.n_both),
                static_cast<double>(t.n_both - inside.n_both));
}

// Is the rule's antecedent more frequent among the better one's rows than among all?
bool leans_in(const ContingencyTable& t, const ContingencyTable& given,
              const ContingencyTable& inside) {
  return static_cast<double>(inside.n_antecedent) * static_cast<double>(t.n) >
         static_cast<double>(given.n_antecedent) * static_cast<double>(t.n_antecedent);
}

}  // namespace

bool explained(const RuleRecord& rule, std::span<const RuleRecord> better,
               const EvaluateOptions& options, Evaluator& evaluator) {
  const double own = excess(rule.table);
  if (options.mean || own <= 0) return false;
  const Expression& conclusion = rule.rule.consequent;
  constexpr std::size_t asked = 3;
  std::vector<Rule> rules;
  for (const RuleRecord& b : better) {
    if (!about_the_same(conclusion, b.rule.consequent)) continue;
    rules.push_back({b.rule.antecedent, conclusion});
    rules.push_back({both(b.rule.antecedent, rule.rule.antecedent), conclusion});
    rules.push_back({b.rule.consequent, conclusion});
  }
  const std::vector<RuleCounts> counts = count(rules, options, evaluator);
  for (std::size_t i = 0; i < counts.size(); i += asked) {
    const ContingencyTable& given = counts[i].table;
    const ContingencyTable& inside = counts[i + 1].table;
    const bool exclusive = counts[i + 2].table.n_both == 0;
    if (exclusive && leans_in(rule.table, given, inside)) continue;
    if (excess_given(rule.table, given, inside) < least_share * own) return true;
  }
  return false;
}

}  // namespace atl
