#include "src/results/refinement/climber.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "src/eval/counting_options.hpp"
#include "src/results/archive/steering.hpp"
#include "src/rules/generalisation.hpp"

namespace atl {
namespace {

constexpr double idle_share = 0.99;  // of a measure, that a rule has without an idle part
constexpr double idle_log_p = -2.995732273553991;  // ln 0.05, that a part does nothing

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

std::span<const Comparison> side_of(const Rule& rule, bool antecedent) {
  return (antecedent ? rule.antecedent : rule.consequent).comparisons();
}

}  // namespace

std::optional<std::size_t> IdleParts::most_idle(std::span<const RuleStatistics> counts,
                                                double least) const {
  const ContingencyTable& with = counts.back().table;
  std::optional<std::size_t> best;
  double greatest = 0;
  for (std::size_t i = 0; i + 1 < counts.size(); ++i) {
    const double log_p = log_productive_p(with, counts[i].table);
    if (!is_idle(with, counts[i].table, log_p) || (best && log_p <= greatest)) continue;
    if (evaluate(measure_, counts[i].table) < least) continue;
    best = i;
    greatest = log_p;
  }
  return best;
}

/// @param log_p  that the rule with the part beats the one without by chance
bool IdleParts::is_idle(const ContingencyTable& with, const ContingencyTable& without,
                        double log_p) const {
  if (!constraints_.met(without)) return false;
  if (shown_log_p_ && log_p > *shown_log_p_) return true;
  const auto keeps = [&](Measure measure) {
    return evaluate(measure, without) >= idle_share * evaluate(measure, with);
  };
  return keeps(measure_) && (log_p >= idle_log_p || keeps(purity_));
}

Rule with_codes(const Rule& rule, const OpenBound& bound, const FittedInterval& codes) {
  const auto side = side_of(rule, bound.of_antecedent);
  std::vector<Comparison> comparisons(side.begin(), side.end());
  comparisons[bound.at].low = codes.low;
  comparisons[bound.at].high = codes.high;
  Rule made = rule;
  (bound.of_antecedent ? made.antecedent : made.consequent) = Expression::conjunction(comparisons);
  return made;
}

Climber::Climber(const Experiment& experiment, const BoundGrammar& grammar, const Dataset& exact)
    : measure_(steering_measure(experiment.archive_by, experiment)),
      goal_(beyond_mean(exact.attributes(), counting_options(experiment, exact.attributes()).mean)),
      grammar_(grammar),
      attributes_(exact.attributes()) {}

std::vector<OpenBound> Climber::bounds(const Rule& rule) const {
  std::vector<OpenBound> all;
  if (!rule.antecedent.is_conjunction() || !rule.consequent.is_conjunction()) return all;
  for (const bool antecedent : {true, false}) {
    const auto side = side_of(rule, antecedent);
    for (std::size_t i = 0; i < side.size(); ++i) {
      const auto form = movable(side[i], grammar_, attributes_);
      if (form) all.push_back({antecedent, i, *form});
    }
  }
  return all;
}

BoundFit Climber::fit(const Rule& rule, const OpenBound& bound,
                      const ContingencyTable& table) const {
  const auto rest = side_of(rule, bound.of_antecedent);
  const std::uint32_t attribute = rest[bound.at].attribute;
  const auto other = bound.of_antecedent && !goal_.empty() ? goal_.comparisons()
                                                           : side_of(rule, !bound.of_antecedent);
  BoundFit asked{.rest = {},
                 .positives = {other.begin(), other.end()},
                 .attribute = attribute,
                 .relation = bound.form,
                 .share = share(table, bound.of_antecedent ? &ContingencyTable::n_antecedent
                                                           : &ContingencyTable::n_consequent),
                 .only = grammar_.presence(attribute)};
  std::copy_if(rest.begin(), rest.end(), std::back_inserter(asked.rest),
               [&](const Comparison& c) { return c.attribute != attribute; });
  return asked;
}

std::vector<Rule> Climber::shortened(const Rule& rule) const {
  std::vector<Rule> rules;
  if (!rule.antecedent.is_conjunction() || !grammar_.joins_antecedents()) return rules;
  shorten(rule, rules);
  open_bounds(rule, rules);
  return rules;
}

std::vector<Neighbour> Climber::neighbours(const Rule& rule,
                                           std::span<const std::uint32_t> others) const {
  std::vector<Neighbour> all;
  if (!rule.antecedent.is_conjunction() || !rule.consequent.is_conjunction()) return all;
  close_bounds(rule, true, all);
  close_bounds(rule, false, all);
  if (!grammar_.joins_antecedents()) return all;
  std::vector<Rule> shorter;
  shorten(rule, shorter);
  for (const Rule& one : shorter) all.push_back({one, std::nullopt});
  if (rule.comparisons() < grammar_.max_comparisons()) lengthen(rule, others, all);
  return all;
}

std::optional<PositiveShare> Climber::share(const ContingencyTable& table,
                                            std::uint64_t ContingencyTable::*side) const {
  if (measure_ == Measure::contrast || !goal_.empty()) return std::nullopt;
  return contour(measure_, table, side);
}

void Climber::close_bounds(const Rule& rule, bool antecedent, std::vector<Neighbour>& out) const {
  const auto side = side_of(rule, antecedent);
  for (std::size_t i = 0; i < side.size(); ++i) {
    const auto form = movable(side[i], grammar_, attributes_);
    if (!form || form == BoundRelation::interval) continue;
    if (!grammar_.has(BoundRelation::interval, side[i].attribute, antecedent)) continue;
    out.push_back({rule, OpenBound{antecedent, i, BoundRelation::interval}});
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

void Climber::lengthen(const Rule& rule, std::span<const std::uint32_t> others,
                       std::vector<Neighbour>& out) const {
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
    more.push_back({attribute, 0, 0});
    out.push_back(
        {{Expression::conjunction(more), rule.consequent}, OpenBound{true, more.size() - 1, form}});
  }
}

}  // namespace atl
