#include "src/results/climber.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "src/eval/counting_options.hpp"
#include "src/results/steering.hpp"

namespace atl {

namespace {

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

/// The share of positive rows at which the measure neither gains nor loses by a few more rows on a
/// side: the direction of its contour at this table. None where it has no direction.
std::optional<PositiveShare> contour(Measure measure, const ContingencyTable& table,
                                     std::uint64_t ContingencyTable::*side) {
  constexpr std::int64_t unit = 1 << 20;
  const double here = evaluate(measure, table);
  ContingencyTable more = table;
  ++(more.*side);
  const double loss = evaluate(measure, more) - here;
  ++more.n_both;
  const double gain = evaluate(measure, more) - here;
  const double share = -loss / (gain - loss);
  if (!(gain > loss) || !(share > 0 && share < 1)) return std::nullopt;
  return PositiveShare{std::llround(share * unit), unit};
}

}  // namespace

Climber::Climber(const Experiment& experiment, const BoundGrammar& grammar, const Dataset& exact,
                 const BinEdges& edges)
    : measure_(steering_measure(experiment.archive_by, experiment)),
      goal_(beyond_mean(exact.attributes(), counting_options(experiment, exact.attributes()).mean)),
      grammar_(grammar),
      attributes_(exact.attributes()),
      edges_(edges) {
  edges_.resize(attributes_.size());
}

bool Climber::round(Rule& rule, const ContingencyTable& table, IntervalFitter& fitter) const {
  if (!rule.antecedent.is_conjunction() || !rule.consequent.is_conjunction()) return false;
  const Rule before = rule;
  const Expression goal = goal_.empty() ? rule.consequent : goal_;
  fit(rule.antecedent, goal, share(table, &ContingencyTable::n_antecedent), fitter);
  fit(rule.consequent, rule.antecedent, share(table, &ContingencyTable::n_consequent), fitter);
  rule = canonical(rule, attributes_);
  return rule != before;
}

std::vector<Rule> Climber::shortened(const Rule& rule) const {
  std::vector<Rule> rules;
  if (!rule.antecedent.is_conjunction() || !grammar_.joins_antecedents()) return rules;
  shorten(rule, rules);
  open_bounds(rule, rules);
  return rules;
}

std::vector<Rule> Climber::neighbours(const Rule& rule, std::span<const std::uint32_t> others,
                                      IntervalFitter& fitter) const {
  std::vector<Rule> rules;
  if (!rule.antecedent.is_conjunction() || !rule.consequent.is_conjunction()) return rules;
  const Expression& goal = goal_.empty() ? rule.consequent : goal_;
  close_bounds(rule, true, goal, fitter, rules);
  close_bounds(rule, false, rule.antecedent, fitter, rules);
  if (!grammar_.joins_antecedents()) return rules;
  shorten(rule, rules);
  if (rule.comparisons() < grammar_.max_comparisons()) {
    lengthen(rule, goal, others, fitter, rules);
  }
  return rules;
}

std::optional<PositiveShare> Climber::share(const ContingencyTable& table,
                                            std::uint64_t ContingencyTable::*side) const {
  if (measure_ == Measure::contrast || !goal_.empty()) return std::nullopt;
  return contour(measure_, table, side);
}

void Climber::fit(Expression& side, const Expression& other, std::optional<PositiveShare> share,
                  IntervalFitter& fitter) const {
  std::vector<Comparison> comparisons(side.comparisons().begin(), side.comparisons().end());
  for (Comparison& c : comparisons) {
    if (const auto form = movable(c, grammar_, attributes_)) {
      fit(c, *form, comparisons, other, share, fitter);
    }
  }
  side = Expression::conjunction(comparisons);
}

void Climber::fit(Comparison& c, BoundRelation form, std::span<const Comparison> rest,
                  const Expression& other, std::optional<PositiveShare> share,
                  IntervalFitter& fitter) const {
  const std::optional<IntervalTrial> trial =
      IntervalTrial{.attribute = c.attribute,
                    .relation = form,
                    .rest = rest,
                    .positives = other.comparisons(),
                    .share = share,
                    .refine_threshold = measure_ == Measure::contrast,
                    .only = grammar_.presence(c.attribute),
                    .edges = edges_[c.attribute]};
  const auto codes = fitter.fit({.trials = {&trial, 1}}).interval;
  if (!codes) return;
  c.low = codes->low;
  c.high = codes->high;
}

void Climber::close_bounds(const Rule& rule, bool antecedent, const Expression& other,
                           IntervalFitter& fitter, std::vector<Rule>& out) const {
  const Expression& side = antecedent ? rule.antecedent : rule.consequent;
  for (std::size_t i = 0; i < side.comparisons().size(); ++i) {
    std::vector<Comparison> comparisons(side.comparisons().begin(), side.comparisons().end());
    Comparison& c = comparisons[i];
    const auto form = movable(c, grammar_, attributes_);
    if (!form || form == BoundRelation::interval) continue;
    if (!grammar_.has(BoundRelation::interval, c.attribute, antecedent)) continue;
    fit(c, BoundRelation::interval, comparisons, other, std::nullopt, fitter);
    Rule closed = rule;
    (antecedent ? closed.antecedent : closed.consequent) = Expression::conjunction(comparisons);
    out.push_back(canonical(closed, attributes_));
  }
}

void Climber::shorten(const Rule& rule, std::vector<Rule>& out) const {
  const auto all = rule.antecedent.comparisons();
  for (std::size_t i = 0; all.size() > 1 && i < all.size(); ++i) {
    std::vector<Comparison> fewer(all.begin(), all.end());
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    out.push_back(canonical({Expression::conjunction(fewer), rule.consequent}, attributes_));
  }
}

void Climber::open_bounds(const Rule& rule, std::vector<Rule>& out) const {
  const auto all = rule.antecedent.comparisons();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (movable(all[i], grammar_, attributes_) != BoundRelation::interval) continue;
    for (const auto form : {BoundRelation::less_equal, BoundRelation::greater}) {
      if (!grammar_.has(form, all[i].attribute, true)) continue;
      std::vector<Comparison> opened(all.begin(), all.end());
      if (form == BoundRelation::less_equal) {
        opened[i].low = 0;
      } else {
        opened[i].high = attributes_[all[i].attribute].distinct() - 1;
      }
      out.push_back(canonical({Expression::conjunction(opened), rule.consequent}, attributes_));
    }
  }
}

void Climber::lengthen(const Rule& rule, const Expression& goal,
                       std::span<const std::uint32_t> others, IntervalFitter& fitter,
                       std::vector<Rule>& out) const {
  for (const std::uint32_t attribute : others) {
    const auto on_it = [attribute](const Comparison& c) { return c.attribute == attribute; };
    const auto named = [&](const Expression& side) {
      return std::any_of(side.comparisons().begin(), side.comparisons().end(), on_it);
    };
    if (named(rule.antecedent) || named(rule.consequent)) continue;
    const auto form =
        attributes_[attribute].ordered() ? BoundRelation::interval : BoundRelation::equal;
    if (!grammar_.has(form, attribute, true)) continue;
    std::vector<Comparison> more(rule.antecedent.comparisons().begin(),
                                 rule.antecedent.comparisons().end());
    Comparison added{attribute, 1, 0};
    fit(added, form, more, goal, std::nullopt, fitter);
    if (added.low > added.high) continue;
    more.push_back(added);
    out.push_back(canonical({Expression::conjunction(more), rule.consequent}, attributes_));
  }
}

}  // namespace atl
