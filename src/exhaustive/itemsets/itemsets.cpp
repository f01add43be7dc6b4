#include "src/exhaustive/itemsets/itemsets.hpp"

#include <cassert>

#include "src/exhaustive/itemsets/itemset_searchers.hpp"
#include "src/exhaustive/itemsets/parted_search.hpp"

namespace atl {

std::vector<std::uint64_t> asked_lengths(std::vector<std::uint64_t> sets,
                                         const ItemsetLimits& limits) {
  if (sets.size() > limits.max_length) sets.resize(std::size_t{limits.max_length} + 1);
  for (std::size_t length = 0; length < sets.size(); ++length) {
    if (length == 0 || length < limits.min_length) sets[length] = 0;
  }
  while (!sets.empty() && sets.back() == 0) sets.pop_back();
  return sets;
}

std::vector<std::uint64_t> count_itemsets(const TransactionSet& transactions,
                                          const ItemsetLimits& limits, ThreadPool& pool,
                                          const std::stop_token& stop) {
  assert(limits.min_count > 0);
  if (transactions.size() < limits.min_count || limits.max_length == 0) return {};
  ItemsetTally tally;
  if (pool.threads() == 1 && !stop.stop_possible()) {
    ItemsetCountSearcher(limits, tally, nullptr).search(whole_search(transactions, limits, false));
  } else {
    PartedSearch search(transactions, limits, false, pool);
    if (!search.count({search.whole()}, tally, stop).empty()) throw SearchStopped();
  }
  return asked_lengths(tally.by_length(), limits);
}

void list_itemsets(const TransactionSet& transactions, const ItemsetLimits& limits,
                   ItemsetSink& sink) {
  assert(limits.min_count > 0);
  if (transactions.size() < limits.min_count || limits.max_length == 0) return;
  ListedItemsets output{sink, limits};
  Miners<ListedItemsets> miners(limits, output);
  const Branch all = whole_search(transactions, limits, true);
  list_branch(all, sink, output, miners);
}

}  // namespace atl
