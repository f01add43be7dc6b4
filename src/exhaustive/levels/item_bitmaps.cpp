#include "src/exhaustive/levels/item_bitmaps.hpp"

#include <limits>

#include "src/exhaustive/itemsets/ranked_rows.hpp"

namespace atl {

ItemBitmaps::ItemBitmaps(const TransactionSet& from, std::uint64_t min_count)
    : names(ranked_items(from, min_count)) {
  constexpr std::uint32_t infrequent = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> rank(from.item_count(), infrequent);
  for (std::uint32_t r = 0; r < items(); ++r) {
    rank[names[r]] = r;
    supports.push_back(from.supports()[names[r]]);
  }
  std::vector<std::uint32_t> kept;
  for (std::uint32_t t = 0; t < from.size(); ++t) {
    std::uint32_t frequent = 0;
    for (const std::uint32_t item : from.transaction(t)) frequent += rank[item] != infrequent;
    if (frequent > 1) kept.push_back(t);
  }
  transactions = kept.size();
  words = (kept.size() + 511) / 512 * 8;
  bits = AlignedWords(words * items());
  for (std::size_t bit = 0; bit < kept.size(); ++bit) {
    for (const std::uint32_t item : from.transaction(kept[bit])) {
      if (rank[item] == infrequent) continue;
      bits.data()[rank[item] * words + bit / 64] |= std::uint64_t{1} << bit % 64;
    }
  }
}

}  // namespace atl
