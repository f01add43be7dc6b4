#include "src/exhaustive/itemset_rules/itemset_supports.hpp"

namespace atl {

ItemsetSupports::ItemsetSupports(const TransactionSet& transactions, std::uint64_t min_count)
    : bitmaps_(transactions, min_count), ranks_(transactions.item_count()) {
  for (std::uint32_t rank = 0; rank < bitmaps_.items(); ++rank) ranks_[bitmaps_.names[rank]] = rank;
}

std::uint64_t ItemsetSupports::of(std::span<const std::uint32_t> set) {
  if (set.size() == 1) return bitmaps_.supports[ranks_[set.front()]];
  path_.clear();
  for (const std::uint32_t item : set.first(set.size() - 1)) path_.push_back(ranks_[item]);
  const std::uint64_t* const last = bitmaps_.column(ranks_[set.back()]);
  std::uint32_t count = 0;
  rows_.of(path_, bitmaps_).count_common(&last, 1, &count);
  return count;
}

}  // namespace atl
