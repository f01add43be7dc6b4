#include "src/exhaustive/rules/rule_classes.hpp"

#include <algorithm>
#include <utility>

#include "src/rules/expression.hpp"

namespace atl {

namespace {

RuleRecord to_record(const CountedRule& counted, const Items& items) {
  std::vector<Comparison> antecedent;
  for (const Item item : counted.rule.antecedent()) antecedent.push_back(items.comparison(item));
  RuleRecord record;
  record.rule.antecedent = Expression::conjunction(antecedent);
  record.rule.consequent = Expression::of(items.comparison(counted.rule.consequent));
  record.table = {items.rows(), counted.n_antecedent, items.count(counted.rule.consequent),
                  counted.n_both};
  return record;
}

}  // namespace

void RuleClasses::add(std::vector<CountedRule> rules) {
  std::sort(rules.begin(), rules.end(),
            [](const CountedRule& a, const CountedRule& b) { return a.rule < b.rule; });
  for (const CountedRule& counted : rules) {
    if (known_.insert(sides(counted)).second) standing_.push_back(counted);
  }
}

void RuleClasses::take_up(std::vector<CountedRule> standing) {
  standing_ = std::move(standing);
  known_.clear();
  for (const CountedRule& counted : standing_) known_.insert(sides(counted));
}

/// Does each item of the general antecedent hold wherever one of the special one's does?
bool RuleClasses::generalises(const ItemRule& general, const ItemRule& special) const noexcept {
  const auto wide = general.antecedent();
  const auto narrow = special.antecedent();
  if (wide.size() > narrow.size() || general == special) return false;
  std::size_t at = 0;  // both are in the order of attributes
  for (const Item item : wide) {
    const Comparison& w = items_.comparison(item);
    while (at < narrow.size() && items_.attribute(narrow[at]) < w.attribute) ++at;
    if (at == narrow.size()) return false;
    const Comparison& n = items_.comparison(narrow[at]);
    if (n.attribute != w.attribute || n.low < w.low || n.high > w.high) return false;
  }
  return true;
}

/// @param other  of the same consequent and no less leverage
bool RuleClasses::makes_superfluous(const CountedRule& other,
                                    const CountedRule& rule) const noexcept {
  const bool as_confident = std::uint64_t{other.n_both} * rule.n_antecedent >=
                            std::uint64_t{rule.n_both} * other.n_antecedent;
  if (as_confident && generalises(other.rule, rule.rule)) return true;
  return rule.rule.size == other.rule.size && rule.n_both == other.n_both &&
         rule.n_antecedent > other.n_antecedent && generalises(rule.rule, other.rule);
}

/// In order, as many as best() gives. Rules are judged from the greatest leverage on, until there
/// are enough.
std::vector<CountedRule> RuleClasses::kept(std::size_t k) const {
  std::vector<std::pair<std::int64_t, const CountedRule*>> order;
  order.reserve(standing_.size());
  for (const CountedRule& counted : standing_) {
    order.emplace_back(scaled_leverage(counted, items_), &counted);
  }
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second->rule < b.second->rule;
  });
  std::vector<std::vector<const CountedRule*>> no_worse(items_.size());  // [consequent]
  std::unordered_set<Sides, SidesHash> kept_sides;                       // in either order
  std::vector<CountedRule> kept;
  for (auto begin = order.begin(); begin != order.end() && begin->first > 0 && kept.size() < k;) {
    const auto end = std::find_if(begin, order.end(),
                                  [&](const auto& other) { return other.first != begin->first; });
    for (auto i = begin; i != end; ++i) {
      no_worse[i->second->rule.consequent].push_back(i->second);
    }
    for (; begin != end; ++begin) {
      const CountedRule& rule = *begin->second;
      const auto& others = no_worse[rule.rule.consequent];
      const Sides own = sides(rule);
      if (kept_sides.count({own.second, own.first}) != 0 ||
          std::any_of(others.begin(), others.end(),
                      [&](const CountedRule* other) { return makes_superfluous(*other, rule); })) {
        continue;
      }
      kept_sides.insert(own);
      kept.push_back(rule);
    }
  }
  return kept;
}

std::int64_t RuleClasses::threshold(std::size_t k) const {
  const std::vector<CountedRule> best = kept(k);
  return best.size() < k ? 1 : scaled_leverage(best[k - 1], items_);
}

std::vector<RuleRecord> RuleClasses::best(std::size_t k) const {
  std::vector<RuleRecord> records;
  for (const CountedRule& counted : kept(k)) records.push_back(to_record(counted, items_));
  return records;
}

}  // namespace atl
