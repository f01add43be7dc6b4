#include "src/exhaustive/itemsets.hpp"

#include <algorithm>
#include <cassert>

#include "src/exhaustive/itemset_rows.hpp"

namespace atl {

std::vector<std::uint64_t> count_itemsets(const TransactionSet& transactions,
                                          const ItemsetLimits& limits) {
  assert(limits.min_count > 0);
  ItemsetTally tally;
  if (transactions.size() >= limits.min_count) {
    const auto everywhere = std::ranges::count(transactions.supports(), transactions.size());
    Prefix empty{transactions.size()};
    empty.perfect = static_cast<std::uint32_t>(everywhere);
    tally.add(empty.perfect, 0, 1);
    const RankedRows rows =
        ranked_rows(transactions, limits.min_count, static_cast<std::size_t>(everywhere));
    CountedItemsets output{tally};
    if (limits.max_length > 0) RowMiner<CountedItemsets>(limits, output).mine(rows, empty);
  }
  std::vector<std::uint64_t> sets = tally.by_length();
  if (sets.size() > limits.max_length) sets.resize(std::size_t{limits.max_length} + 1);
  for (std::size_t length = 0; length < sets.size(); ++length) {
    if (length == 0 || length < limits.min_length) sets[length] = 0;
  }
  while (!sets.empty() && sets.back() == 0) sets.pop_back();
  return sets;
}

void list_itemsets(const TransactionSet& transactions, const ItemsetLimits& limits,
                   ItemsetSink& sink) {
  assert(limits.min_count > 0);
  if (transactions.size() < limits.min_count || limits.max_length == 0) return;
  ListedItemsets output{sink, limits};
  const RankedRows rows = ranked_rows(transactions, limits.min_count, 0);
  RowMiner<ListedItemsets>(limits, output).mine(rows, {transactions.size()});
}

}  // namespace atl
