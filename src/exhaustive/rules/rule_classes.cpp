#include "src/exhaustive/rules/rule_classes.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
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

/// Greatest leverage first, then in the rules' order. Rules without any are left out.
std::vector<RuleClasses::Ranked> RuleClasses::ranked(const std::vector<CountedRule>& rules) const {
  std::vector<Ranked> order;
  order.reserve(rules.size());
  for (const CountedRule& counted : rules) {
    const std::int64_t leverage = scaled_leverage(counted, items_);
    if (leverage > 0) order.push_back({leverage, &counted});
  }
  std::sort(order.begin(), order.end(), [](const Ranked& a, const Ranked& b) {
    return a.leverage != b.leverage ? a.leverage > b.leverage : a.counted->rule < b.counted->rule;
  });
  return order;
}

// Rules are judged from the greatest leverage on, until there are enough.
void RuleClasses::add(std::vector<CountedRule> rules) {
  const std::vector<Ranked> order = ranked(rules);
  NarrowRules narrow(items_, keys_);
  std::vector<Kept> kept;
  std::vector<const CountedRule*> equals;  // that stand for their likes
  for (auto next = order.begin(); next != order.end();) {
    const std::int64_t leverage = next->leverage;
    if (kept_above(leverage) + kept.size() >= top_) break;
    equals.clear();
    for (; next != order.end() && next->leverage == leverage; ++next) {
      if (known_.insert(sides(*next->counted)).second) equals.push_back(next->counted);
    }
    for (const CountedRule* const counted : equals) standing_.push_back(*counted);
    for (const CountedRule* const counted : not_superfluous(equals, narrow)) {
      const Sides own = sides(*counted);
      if (kept_sides_.count({own.second, own.first}) != 0) continue;
      kept_sides_.insert(own);
      kept.push_back({leverage, *counted});
    }
  }
  take_in(std::move(kept));
}

/// @param equals  of one leverage, at most that of all that were judged before, but for shorter
/// ones
std::vector<const CountedRule*> RuleClasses::not_superfluous(
    const std::vector<const CountedRule*>& equals, NarrowRules& narrow) {
  std::vector<const CountedRule*> left;
  const auto has_general = [&](const CountedRule* counted) {
    return general_.make_superfluous(*counted);
  };
  std::ranges::remove_copy_if(equals, std::back_inserter(left), has_general);
  for (const CountedRule* const counted : left) general_.add(*counted);
  if (left.size() > 1) std::erase_if(left, has_general);
  std::erase_if(left, [&](const CountedRule* c) { return narrow.make_superfluous(*c); });
  for (const CountedRule* const counted : equals) narrow.add(*counted);
  return left;
}

std::size_t RuleClasses::kept_above(std::int64_t leverage) const {
  const auto end = std::ranges::partition_point(
      kept_, [&](const Kept& kept) { return kept.leverage > leverage; });
  return static_cast<std::size_t>(end - kept_.begin());
}

/// Takes in what was kept of the rules that were added, and forgets what is not among the best.
void RuleClasses::take_in(std::vector<Kept> kept) {
  const auto middle = static_cast<std::ptrdiff_t>(kept_.size());
  kept_.insert(kept_.end(), kept.begin(), kept.end());
  std::inplace_merge(
      kept_.begin(), kept_.begin() + middle, kept_.end(), [](const Kept& a, const Kept& b) {
        return a.leverage != b.leverage ? a.leverage > b.leverage : a.counted.rule < b.counted.rule;
      });
  const std::int64_t least = threshold();
  kept_.resize(kept_above(least - 1));
  std::erase_if(standing_, [&](const CountedRule& counted) {
    return scaled_leverage(counted, items_) < least;
  });
}

void RuleClasses::take_up(std::vector<CountedRule> standing) {
  general_.clear();
  standing_.clear();
  known_.clear();
  kept_.clear();
  kept_sides_.clear();
  add(std::move(standing));
}

std::int64_t RuleClasses::threshold() const {
  return kept_.size() < top_ ? 1 : kept_[top_ - 1].leverage;
}

std::vector<RuleRecord> RuleClasses::best() const {
  std::vector<RuleRecord> records;
  for (const Kept& kept : kept_) records.push_back(to_record(kept.counted, items_));
  return records;
}

}  // namespace atl
