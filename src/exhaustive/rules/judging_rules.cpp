#include "src/exhaustive/rules/judging_rules.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "src/core/row_hash.hpp"

namespace atl {

namespace {

/// Does each item of the general antecedent hold wherever one of the special one's does?
bool is_more_general(const ItemRule& general, const ItemRule& special,
                     const Items& items) noexcept {
  const auto wide = general.antecedent();
  const auto narrow = special.antecedent();
  if (wide.size() > narrow.size() || general == special) return false;
  std::size_t at = 0;  // both are in the order of attributes
  for (const Item item : wide) {
    const Comparison& w = items.comparison(item);
    while (at < narrow.size() && items.attribute(narrow[at]) < w.attribute) ++at;
    if (at == narrow.size()) return false;
    const Comparison& n = items.comparison(narrow[at]);
    if (n.attribute != w.attribute || n.low < w.low || n.high > w.high) return false;
  }
  return true;
}

}  // namespace

// Sums of hashes tell sets apart.
JudgingKeys::JudgingKeys(const Items& items) : of_item_(items.size()), of_intervals_(items.size()) {
  for (std::size_t first = 0, end = 0; first < items.size(); first = end) {
    bool intervals = false;
    const std::uint32_t attribute = items.attribute(static_cast<Item>(first));
    for (; end < items.size() && items.attribute(static_cast<Item>(end)) == attribute; ++end) {
      const Comparison& item = items.comparison(static_cast<Item>(end));
      intervals = intervals || item.low < item.high;
    }
    for (std::size_t item = first; item < end; ++item) {
      of_item_[item] = row_hash(intervals ? first : item);
      of_intervals_[item] = intervals;
    }
  }
}

std::uint64_t JudgingKeys::of_consequent(Item item) const noexcept {
  return row_hash(most_items + std::uint64_t{item});
}

std::uint64_t JudgingKeys::of(const ItemRule& rule) const noexcept {
  std::uint64_t key = of_consequent(rule.consequent);
  for (const Item item : rule.antecedent()) key += of_item(item);
  return key;
}

bool JudgingKeys::has_intervals(const ItemRule& rule) const noexcept {
  return std::ranges::any_of(rule.antecedent(), [&](Item item) { return of_intervals_[item]; });
}

void GeneralRules::add(const CountedRule& counted) {
  rules_[keys_.of(counted.rule)].push_back(counted);
}

bool GeneralRules::make_superfluous(const CountedRule& counted) const {
  const auto is_no_better = [&](const CountedRule& other) {
    return other.rule.consequent == counted.rule.consequent &&
           std::uint64_t{other.n_both} * counted.n_antecedent >=
               std::uint64_t{counted.n_both} * other.n_antecedent &&
           is_more_general(other.rule, counted.rule, items_);
  };
  const auto antecedent = counted.rule.antecedent();
  std::array<std::uint64_t, std::size_t{1} << (most_comparisons - 1)> keys;  // [sets of its items]
  keys[0] = keys_.of_consequent(counted.rule.consequent);
  for (std::size_t set = 1; set < std::size_t{1} << antecedent.size(); ++set) {
    const auto first = static_cast<std::size_t>(std::countr_zero(set));
    keys[set] = keys[set & (set - 1)] + keys_.of_item(antecedent[first]);
    const auto found = rules_.find(keys[set]);
    if (found != rules_.end() && std::ranges::any_of(found->second, is_no_better)) return true;
  }
  return false;
}

std::uint64_t NarrowRules::key(const CountedRule& counted) const noexcept {
  return keys_.of(counted.rule) + row_hash(~std::uint64_t{counted.n_both});
}

void NarrowRules::add(const CountedRule& counted) {
  if (keys_.has_intervals(counted.rule)) rules_.emplace(key(counted), &counted);
}

bool NarrowRules::make_superfluous(const CountedRule& counted) const {
  if (!keys_.has_intervals(counted.rule)) return false;
  const auto [begin, end] = rules_.equal_range(key(counted));
  return std::any_of(begin, end, [&](const auto& entry) {
    const CountedRule& other = *entry.second;
    return other.rule.consequent == counted.rule.consequent &&
           other.rule.size == counted.rule.size && other.n_both == counted.n_both &&
           other.n_antecedent < counted.n_antecedent &&
           is_more_general(counted.rule, other.rule, items_);
  });
}

}  // namespace atl
