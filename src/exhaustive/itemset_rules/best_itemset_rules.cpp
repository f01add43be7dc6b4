#include "src/exhaustive/itemset_rules/best_itemset_rules.hpp"

#include <algorithm>
#include <utility>

#include "src/measures/measures.hpp"

namespace atl {

bool BestItemsetRules::is_better(const Kept& a, const Kept& b) noexcept {
  const auto order = by_measure(a.value, b.value);
  return order != 0 ? order < 0 : a.number < b.number;
}

void BestItemsetRules::take(const ItemsetRule& rule) {
  const double value = evaluate(by_, rule.table);
  const std::uint64_t number = came_++;
  const bool full = kept_.size() == most_;
  // Of equal ones the former is better, so that a new one has to have more.
  if (full && !(by_measure(value, kept_.front().value) < 0)) return;
  if (full) {
    std::pop_heap(kept_.begin(), kept_.end(), is_better);
    kept_.pop_back();
  }
  kept_.push_back({value,
                   number,
                   {rule.antecedent.begin(), rule.antecedent.end()},
                   {rule.consequent.begin(), rule.consequent.end()},
                   rule.table});
  std::push_heap(kept_.begin(), kept_.end(), is_better);
}

void BestItemsetRules::hand_over(const std::function<void(const ItemsetRule&)>& use) {
  std::sort(kept_.begin(), kept_.end(), is_better);
  for (const Kept& kept : std::exchange(kept_, {})) {
    use({kept.antecedent, kept.consequent, kept.table});
  }
}

}  // namespace atl
