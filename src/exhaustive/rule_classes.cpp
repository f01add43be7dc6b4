#include "src/exhaustive/rule_classes.hpp"

#include <algorithm>
#include <functional>

#include "src/core/row_hash.hpp"
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

// The rule with those items of the antecedent whose bit is set.
ItemRule generalisation(const ItemRule& rule, unsigned chosen) {
  ItemRule general;
  general.consequent = rule.consequent;
  for (unsigned i = 0; i < rule.size; ++i) {
    if ((chosen >> i & 1U) != 0) general.items[general.size++] = rule.items[i];
  }
  return general;
}

}  // namespace

std::size_t RuleClasses::ItemRuleHash::operator()(const ItemRule& rule) const noexcept {
  std::uint64_t hash = rule.consequent;
  for (const Item item : rule.antecedent()) hash = row_hash(hash << 16 | item);
  return hash;
}

bool RuleClasses::is_superfluous(const CountedRule& special) const {
  const unsigned all = (1U << special.rule.size) - 1;
  for (unsigned chosen = 1; chosen < all; ++chosen) {
    const auto found = standing_.find(generalisation(special.rule, chosen));
    if (found == standing_.end()) continue;
    CountedRule general = special;  // of the same consequent
    general.n_antecedent = found->second.antecedent;
    general.n_both = found->second.both;
    const bool as_confident = std::uint64_t{general.n_both} * special.n_antecedent >=
                              std::uint64_t{special.n_both} * general.n_antecedent;
    if (as_confident && scaled_leverage(general, items_) >= scaled_leverage(special, items_)) {
      return true;
    }
  }
  return false;
}

void RuleClasses::add(std::vector<CountedRule> rules) {
  std::sort(rules.begin(), rules.end(),
            [](const CountedRule& a, const CountedRule& b) { return a.rule < b.rule; });
  for (const CountedRule& counted : rules) {
    const Sides own = sides(counted);
    if (!known_.insert(own).second) continue;
    standing_.emplace(counted.rule, Counts{counted.n_antecedent, counted.n_both});
    if (is_superfluous(counted) || kept_sides_.count({own.second, own.first}) != 0) continue;
    kept_sides_.insert(own);
    kept_.push_back(counted);
  }
}

std::int64_t RuleClasses::threshold(std::size_t k) const {
  if (kept_.size() < k) return 1;
  std::vector<std::int64_t> values;
  values.reserve(kept_.size());
  for (const CountedRule& counted : kept_) values.push_back(scaled_leverage(counted, items_));
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(k - 1);
  std::nth_element(values.begin(), at, values.end(), std::greater<>());
  return *at;
}

std::vector<RuleRecord> RuleClasses::best(std::size_t k) const {
  const std::int64_t least = threshold(k);
  std::vector<CountedRule> chosen;
  for (const CountedRule& counted : kept_) {
    if (scaled_leverage(counted, items_) >= least) chosen.push_back(counted);
  }
  std::sort(chosen.begin(), chosen.end(), [&](const CountedRule& a, const CountedRule& b) {
    const std::int64_t of_a = scaled_leverage(a, items_);
    const std::int64_t of_b = scaled_leverage(b, items_);
    return of_a != of_b ? of_a > of_b : a.rule < b.rule;
  });
  std::vector<RuleRecord> records;
  records.reserve(chosen.size());
  for (const CountedRule& counted : chosen) records.push_back(to_record(counted, items_));
  return records;
}

}  // namespace atl
