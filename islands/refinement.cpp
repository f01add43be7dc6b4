#include "islands/refinement.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "islands/steering.hpp"
#include "islands/widened_counts.hpp"
#include "src/core/error.hpp"
#include "src/eval/bound_fit.hpp"
#include "src/eval/counting_options.hpp"

namespace atl {

namespace {

constexpr std::size_t most_rounds = 8;
constexpr std::uint64_t most_rows = std::uint64_t{1} << 20;

Expression in_exact_codes(const Expression& side, std::span<const Attribute> binned,
                          std::span<const Attribute> exact) {
  std::vector<Comparison> comparisons(side.comparisons().begin(), side.comparisons().end());
  for (Comparison& c : comparisons) {
    if (!binned[c.attribute].binned()) continue;
    const auto& values = exact[c.attribute].low;
    const auto first =
        std::lower_bound(values.begin(), values.end(), binned[c.attribute].low[c.low]);
    const auto end =
        std::upper_bound(values.begin(), values.end(), binned[c.attribute].high[c.high]);
    if (first >= end) throw InternalError("a bin without a value");
    c.low = static_cast<std::uint32_t>(first - values.begin());
    c.high = static_cast<std::uint32_t>(end - values.begin()) - 1;
  }
  return {std::vector<Op>(side.program().begin(), side.program().end()), std::move(comparisons)};
}

/// Form of a comparison whose codes may move; none of one that stays.
std::optional<BoundRelation> movable(const Comparison& c, const BoundGrammar& grammar,
                                     std::span<const Attribute> attributes) {
  const Attribute& attribute = attributes[c.attribute];
  const bool from_first = c.low == 0;
  const bool to_last = c.high + 1 >= attribute.distinct();
  if (!attribute.ordered() || c.negated || c.low == c.high || (from_first && to_last)) {
    return std::nullopt;
  }
  if (grammar.has_literal_on(c.attribute)) return std::nullopt;
  if (from_first) return BoundRelation::less_equal;
  return to_last ? BoundRelation::greater : BoundRelation::interval;
}

/// The share of wanted rows at which the measure neither gains nor loses by a few more rows on a
/// side: the direction of its contour at this table. None where it has no direction.
std::optional<BoundFit::Share> contour(Measure measure, const ContingencyTable& table,
                                       std::uint64_t ContingencyTable::*side) {
  constexpr std::int64_t unit = 1 << 20;
  const double here = evaluate(measure, table);
  ContingencyTable more = table;
  ++(more.*side);
  const double unwanted = evaluate(measure, more) - here;
  ++more.n_both;
  const double wanted = evaluate(measure, more) - here;
  const double share = -unwanted / (wanted - unwanted);
  if (!(wanted > unwanted) || !(share > 0 && share < 1)) return std::nullopt;
  return BoundFit::Share{std::llround(share * unit), unit};
}

class Climber {
 public:
  Climber(const Experiment& experiment, const BoundGrammar& grammar, const Dataset& exact)
      : measure_(steering_measure(experiment.archive_by, experiment)),
        goal_(
            beyond_mean(exact.attributes(), counting_options(experiment, exact.attributes()).mean)),
        grammar_(grammar),
        attributes_(exact.attributes()),
        fit_(exact, most_rows, most_rows) {}

  BoundFit::Scratch scratch() const { return BoundFit::Scratch(fit_); }

  /// Fits every comparison once. False if nothing moves.
  /// @param table  the rule's
  bool round(Rule& rule, const ContingencyTable& table, BoundFit::Scratch& scratch) const {
    if (!rule.antecedent.is_conjunction() || !rule.consequent.is_conjunction()) return false;
    const Rule before = rule;
    const Expression goal = goal_.empty() ? rule.consequent : goal_;
    fit(rule.antecedent, goal, share(table, &ContingencyTable::n_antecedent), scratch);
    fit(rule.consequent, rule.antecedent, share(table, &ContingencyTable::n_consequent), scratch);
    rule = canonical(rule, attributes_);
    return rule != before;
  }

 private:
  // Contrast is no function of the rule's own counts. It is greatest where each comparison parts
  // the rows that the others leave best. Means are no function of how many rows lie beyond one.
  std::optional<BoundFit::Share> share(const ContingencyTable& table,
                                       std::uint64_t ContingencyTable::*side) const {
    if (measure_ == Measure::contrast || !goal_.empty()) return std::nullopt;
    return contour(measure_, table, side);
  }

  void fit(Expression& side, const Expression& other, std::optional<BoundFit::Share> share,
           BoundFit::Scratch& scratch) const {
    std::vector<Comparison> comparisons(side.comparisons().begin(), side.comparisons().end());
    for (Comparison& c : comparisons) {
      const auto relation = movable(c, grammar_, attributes_);
      if (!relation) continue;
      const auto codes = fit_.best_codes({.attribute = c.attribute,
                                          .relation = *relation,
                                          .rest = comparisons,
                                          .wanted = other.comparisons(),
                                          .share = share,
                                          .sharpen = measure_ == Measure::contrast},
                                         scratch);
      if (!codes) continue;
      c.low = codes->low;
      c.high = codes->high;
    }
    side = Expression::conjunction(comparisons);
  }

  Measure measure_;
  Expression goal_;
  const BoundGrammar& grammar_;
  std::span<const Attribute> attributes_;
  BoundFit fit_;
};

}  // namespace

Rule in_exact_codes(const Rule& rule, std::span<const Attribute> binned,
                    std::span<const Attribute> exact) {
  return {in_exact_codes(rule.antecedent, binned, exact),
          in_exact_codes(rule.consequent, binned, exact)};
}

Refined refine(std::vector<RuleRecord> records, const Experiment& experiment,
               const BoundGrammar& grammar, const Dataset& exact, Evaluator& evaluator,
               ThreadPool& pool) {
  const Climber climber(experiment, grammar, exact);
  const Constraints constraints = constraints_of(experiment);
  const Measure measure = steering_measure(experiment.archive_by, experiment);
  const EvaluateOptions options = counting_options(experiment, exact.attributes());
  std::uint64_t evaluated = 0;
  const auto count_all = [&](std::span<const Rule> rules) {
    if (measure == Measure::contrast) {
      auto widened = count_widened(rules, exact.attributes(), options, evaluator);
      evaluated += widened.evaluated;
      return std::move(widened.counts);
    }
    evaluated += rules.size();
    return count(rules, options, evaluator);
  };
  std::vector<BoundFit::Scratch> scratch(pool.threads(), climber.scratch());

  std::vector<Rule> rules;  // of the round, as far as they still move
  std::vector<std::size_t> of;
  for (const RuleRecord& record : records) {
    rules.push_back(record.rule);
    of.push_back(of.size());
  }
  std::vector<RuleCounts> counts = count_all(rules);
  for (std::size_t i = 0; i < records.size(); ++i) records[i].table = counts[i].table;
  std::vector<bool> improved(records.size(), false);
  for (std::size_t round = 0; round < most_rounds && !rules.empty(); ++round) {
    std::vector<std::uint8_t> moved(rules.size());
    pool.wait(pool.submit(rules.size(), [&](std::size_t i, unsigned worker) {
      moved[i] = climber.round(rules[i], counts[i].table, scratch[worker]) ? 1 : 0;
    }));
    std::size_t kept = 0;
    for (std::size_t i = 0; i < rules.size(); ++i) {
      if (moved[i] == 0) continue;
      if (kept != i) rules[kept] = std::move(rules[i]);
      of[kept++] = of[i];
    }
    rules.resize(kept);
    of.resize(kept);
    counts = count_all(rules);
    for (std::size_t i = 0; i < rules.size(); ++i) {
      RuleRecord& record = records[of[i]];
      if (!constraints.met(counts[i].table)) continue;
      if (by_measure(evaluate(measure, counts[i].table), evaluate(measure, record.table)) >= 0) {
        continue;
      }
      record.rule = rules[i];
      record.equivalents.clear();
      record.table = counts[i].table;
      record.missing_consequent = counts[i].missing_consequent;
      improved[of[i]] = true;
    }
  }
  return {std::move(records),
          static_cast<std::size_t>(std::count(improved.begin(), improved.end(), true)), evaluated};
}

}  // namespace atl
