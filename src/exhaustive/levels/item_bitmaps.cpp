#include "src/exhaustive/levels/item_bitmaps.hpp"

#include <limits>
#include <utility>

#include "src/exhaustive/itemsets/ranked_rows.hpp"

namespace atl {

namespace {

constexpr std::uint32_t not_kept = std::numeric_limits<std::uint32_t>::max();

/// [items of the transactions] the rank of each, or not_kept.
std::vector<std::uint32_t> ranks_of(const TransactionSet& transactions,
                                    std::span<const std::uint32_t> items) {
  std::vector<std::uint32_t> rank(transactions.item_count(), not_kept);
  for (std::uint32_t r = 0; r < items.size(); ++r) rank[items[r]] = r;
  return rank;
}

}  // namespace

std::vector<std::uint32_t> transactions_with_pairs(const TransactionSet& transactions,
                                                   std::span<const std::uint32_t> items) {
  const std::vector<std::uint32_t> rank = ranks_of(transactions, items);
  std::vector<std::uint32_t> kept;
  for (std::uint32_t t = 0; t < transactions.size(); ++t) {
    std::uint32_t frequent = 0;
    for (const std::uint32_t item : transactions.transaction(t)) frequent += rank[item] != not_kept;
    if (frequent > 1) kept.push_back(t);
  }
  return kept;
}

ItemBitmaps::ItemBitmaps(const TransactionSet& from, std::uint64_t min_count) {
  std::vector<std::uint32_t> items = ranked_items(from, min_count);
  const std::vector<std::uint32_t> kept = transactions_with_pairs(from, items);
  *this = ItemBitmaps(from, std::move(items), kept);
}

ItemBitmaps::ItemBitmaps(const TransactionSet& from, std::vector<std::uint32_t> items,
                         std::span<const std::uint32_t> kept)
    : names(std::move(items)),
      transactions(kept.size()),
      words((kept.size() + 511) / 512 * 8),
      bits(words * names.size()) {
  for (const std::uint32_t item : names) supports.push_back(from.supports()[item]);
  const std::vector<std::uint32_t> rank = ranks_of(from, names);
  for (std::size_t bit = 0; bit < kept.size(); ++bit) {
    if (kept[bit] == no_transaction) continue;
    for (const std::uint32_t item : from.transaction(kept[bit])) {
      if (rank[item] == not_kept) continue;
      bits.data()[rank[item] * words + bit / 64] |= std::uint64_t{1} << bit % 64;
    }
  }
}

}  // namespace atl
