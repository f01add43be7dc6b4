#include "src/exhaustive/rules/beam.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "src/data/aligned_words.hpp"
#include "src/exhaustive/rules/row_sets.hpp"
#include "src/exhaustive/rules/rule_classes.hpp"

namespace atl {

namespace {

class Beam {
 public:
  Beam(const Items& items, const RuleLimits& limits, std::uint64_t evaluations)
      : items_(items), limits_(limits), left_(evaluations), covered_(items.words()) {
    for (const Item y : consequents(items, limits)) allowed_.insert(y);
  }

  void count_pairs() {
    for (std::size_t y = 0; y < items_.size(); ++y) {
      for (std::size_t x = 0; x < y && left_ > 0; ++x) {
        const auto first = static_cast<Item>(x);
        const auto second = static_cast<Item>(y);
        if (items_.attribute(first) == items_.attribute(second)) continue;
        if (!items_.is_concluded(first) && !items_.is_concluded(second)) continue;
        const std::uint64_t both =
            count_common(items_.covered(first), items_.covered(second), items_.words());
        --left_;
        add_pair(first, second, both);
        add_pair(second, first, both);
      }
    }
  }

  /// Replaces the rules by the extensions of the best of them.
  void extend(std::size_t lengths_to_come) {
    std::uint64_t budget = left_ / lengths_to_come;
    left_ -= budget;
    const std::vector<CountedRule> parents = std::exchange(rules_, {});
    std::set<ItemRule> seen;
    for (const CountedRule& parent : parents) {
      for (std::size_t i = 0; i < items_.size() && budget > 0; ++i) {
        ItemRule rule = parent.rule;
        if (!append(rule, static_cast<Item>(i)) || !seen.insert(rule).second) continue;
        --budget;
        count(rule);
      }
    }
    left_ += budget;
  }

  void sort_by_leverage() {
    std::sort(rules_.begin(), rules_.end(), [&](const CountedRule& a, const CountedRule& b) {
      const std::int64_t of_a = scaled_leverage(a, items_);
      const std::int64_t of_b = scaled_leverage(b, items_);
      return of_a != of_b ? of_a > of_b : a.rule < b.rule;
    });
  }

  const std::vector<CountedRule>& rules() const noexcept { return rules_; }
  std::uint64_t left() const noexcept { return left_; }

 private:
  void add_pair(Item x, Item y, std::uint64_t both) {
    CountedRule counted;
    counted.rule.size = 1;
    counted.rule.items[0] = x;
    counted.rule.consequent = y;
    counted.n_antecedent = static_cast<std::uint32_t>(items_.count(x));
    counted.n_both = static_cast<std::uint32_t>(both);
    counted.coverage = items_.coverage(x);
    add_if_feasible(counted);
  }

  void add_if_feasible(const CountedRule& counted) {
    if (allowed_.count(counted.rule.consequent) != 0 && counted.n_both >= limits_.min_count &&
        scaled_leverage(counted, items_) > 0) {
      rules_.push_back(counted);
    }
  }

  // Adds an item to the rule. False if the attribute is in the rule already.
  bool append(ItemRule& rule, Item item) const {
    const auto same_attribute = [&](Item other) {
      return items_.attribute(other) == items_.attribute(item);
    };
    const auto antecedent = rule.antecedent();
    if (same_attribute(rule.consequent) ||
        std::any_of(antecedent.begin(), antecedent.end(), same_attribute)) {
      return false;
    }
    std::size_t at = rule.size++;
    for (; at > 0 && rule.items[at - 1] > item; --at) rule.items[at] = rule.items[at - 1];
    rule.items[at] = item;
    return true;
  }

  void count(const ItemRule& rule) {
    CountedRule counted;
    counted.rule = rule;
    std::copy_n(items_.covered(rule.items[0]), items_.words(), covered_.data());
    for (const Item item : rule.antecedent()) {
      counted.n_antecedent = static_cast<std::uint32_t>(
          intersect(covered_.data(), items_.covered(item), items_.words(), covered_.data()));
    }
    counted.n_both = static_cast<std::uint32_t>(
        count_common(covered_.data(), items_.covered(rule.consequent), items_.words()));
    counted.coverage = hash_rows(covered_.data(), items_.words());
    add_if_feasible(counted);
  }

  const Items& items_;
  const RuleLimits& limits_;
  std::uint64_t left_;
  std::set<Item> allowed_;
  AlignedWords covered_;
  std::vector<CountedRule> rules_;  ///< feasible ones of the present length
};

}  // namespace

MinedRules beam_search(const Items& items, const RuleLimits& limits, std::size_t top,
                       std::uint64_t evaluations) {
  Beam beam(items, limits, evaluations);
  RuleClasses classes(items, top);
  beam.count_pairs();
  classes.add(beam.rules());
  for (std::uint32_t length = 3; length <= limits.max_length; ++length) {
    beam.sort_by_leverage();
    beam.extend(limits.max_length - length + 1);
    classes.add(beam.rules());
  }
  MinedRules mined;
  mined.rules = classes.best();
  mined.evaluated = mined.counted = evaluations - beam.left();
  return mined;
}

}  // namespace atl
