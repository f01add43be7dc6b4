#include "src/exhaustive/itemset_rules/itemset_rule_search.hpp"

#include <cstdint>
#include <vector>

#include "src/core/error.hpp"
#include "src/core/text/near_names.hpp"
#include "src/exhaustive/itemset_rules/itemset_rules.hpp"
#include "src/exhaustive/itemsets/itemset_task.hpp"
#include "src/exhaustive/itemsets/itemsets.hpp"

namespace atl {

namespace {

constexpr const char* fewer_sets = "a greater support, a smaller --max-length or ";

/// Room for so many sets. @throws UsageError
ItemsetTree tree_for(std::uint64_t sets, const TransactionSet& transactions,
                     const MemoryLimit& memory, const Report& report) {
  if (sets > ItemsetTree::most_sets) {
    throw UsageError("rules would be made of " + counted(sets, "set") + ", at most " +
                     std::to_string(ItemsetTree::most_sets) +
                     ": take a greater support, or --max-length");
  }
  if (sets * ItemsetTree::set_bytes > memory.left()) {
    throw_too_much(counted(sets, "set") + " to make rules of take 12 bytes each,", fewer_sets,
                   memory);
  }
  report(Severity::info,
         "making rules of " + counted(sets, "set") + ", which are held in memory, 12 bytes each");
  return {transactions.item_count(), sets};
}

/// All sets, which are first counted, as that takes little time and no memory.
ItemsetTree kept_sets(const TransactionSet& transactions, const ItemsetLimits& limits,
                      const std::function<ItemsetLevels()>& by_level, ThreadPool& pool,
                      const MemoryLimit& memory, const Report& report) {
  if (by_level) {
    const ItemsetLevels levels = by_level();
    ItemsetTree kept = tree_for(sum_of(levels.by_length(limits)), transactions, memory, report);
    levels.hand_over(limits, kept);
    return kept;
  }
  const std::uint64_t sets = sum_of(count_itemsets(transactions, limits, pool));
  ItemsetTree kept = tree_for(sets, transactions, memory, report);
  list_itemsets(transactions, limits, kept);
  return kept;
}

}  // namespace

std::string make_itemset_rules(const TransactionSet& transactions, const ItemsetLimits& sets,
                               const ItemsetRuleChoice& choice,
                               const std::function<ItemsetLevels()>& by_level, ThreadPool& pool,
                               const MemoryLimit& memory, const Report& report,
                               const std::function<void(const ItemsetRule&)>& use) {
  std::uint64_t all = 0, used = 0;
  const auto count_and_use = [&](const ItemsetRule& rule) {
    use(rule);
    ++used;
  };
  BestItemsetRules best(choice.sort.value_or(Measure{}), choice.top);
  const auto take = [&](const ItemsetRule& rule) {
    ++all;
    if (choice.sort) return best.take(rule);
    count_and_use(rule);
  };
  within(memory, "rules take", fewer_sets, [&] {
    if (sets.family == ItemsetFamily::all) {
      const ItemsetTree kept = kept_sets(transactions, sets, by_level, pool, memory, report);
      for_each_rule(kept, transactions.size(), choice.limits, take);
    } else {
      for_each_closed_rule(transactions, sets, choice.limits, take);
    }
    best.hand_over(count_and_use);
  });
  return (used < all ? "the best " + std::to_string(used) + " of " : "") + counted(all, "rule");
}

}  // namespace atl
