#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <string>

#include "src/core/memory_limit.hpp"
#include "src/core/report.hpp"
#include "src/core/thread_pool.hpp"
#include "src/data/transactions/transaction_set.hpp"
#include "src/exhaustive/itemset_rules/itemset_rules.hpp"
#include "src/exhaustive/itemsets/itemset_output.hpp"
#include "src/exhaustive/levels/candidates.hpp"
#include "src/measures/measure.hpp"

namespace atl {

/// The rules that are wanted.
struct ItemsetRuleChoice {
  ItemsetRuleLimits limits;
  std::optional<Measure> sort;  ///< the greatest of it first; none: in the order of the sets
  std::size_t top = std::numeric_limits<std::size_t>::max();  ///< of those that are sorted
};

/// Finds the sets and hands over the rules that are made of them, on this rank alone. All sets are
/// held in memory, closed ones are not. Blocking.
/// @param sets      the least support, and the family
/// @param by_level  finds all sets level by level; empty: they are searched depth first
/// @param report    is told how many sets are held
/// @return how many rules there were, in words
/// @throws UsageError if the sets are too many for rules, or for the memory limit
std::string make_itemset_rules(const TransactionSet& transactions, const ItemsetLimits& sets,
                               const ItemsetRuleChoice& choice,
                               const std::function<ItemsetLevels()>& by_level, ThreadPool& pool,
                               const MemoryLimit& memory, const Report& report,
                               const std::function<void(const ItemsetRule&)>& use);

}  // namespace atl
