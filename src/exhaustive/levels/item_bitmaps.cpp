#include "src/exhaustive/levels/item_bitmaps.hpp"

#include <algorithm>
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

std::vector<std::uint32_t> transactions_with(std::uint32_t least,
                                             const TransactionSet& transactions,
                                             std::span<const std::uint32_t> items) {
  const std::vector<std::uint32_t> rank = ranks_of(transactions, items);
  std::vector<std::uint32_t> kept;
  for (std::uint32_t t = 0; t < transactions.size(); ++t) {
    std::uint32_t frequent = 0;
    for (const std::uint32_t item : transactions.transaction(t)) frequent += rank[item] != not_kept;
    if (frequent >= least) kept.push_back(t);
  }
  return kept;
}

ItemBitmaps::ItemBitmaps(const TransactionSet& from, std::uint64_t min_count) {
  std::vector<std::uint32_t> items = ranked_items(from, min_count);
  const std::vector<std::uint32_t> kept = transactions_with(2, from, items);
  *this = ItemBitmaps(from, std::move(items), kept);
}

ItemBitmaps::ItemBitmaps(const TransactionSet& from, std::vector<std::uint32_t> items,
                         std::span<const std::uint32_t> kept, ThreadPool* pool)
    : names(std::move(items)),
      transactions(kept.size()),
      words((kept.size() + 511) / 512 * 8),
      bits(words * names.size()) {
  for (const std::uint32_t item : names) supports.push_back(from.supports()[item]);
  const std::vector<std::uint32_t> rank = ranks_of(from, names);
  const auto set_bits = [&](std::size_t first, std::size_t end) {
    for (std::size_t bit = first; bit < end; ++bit) {
      if (kept[bit] == no_transaction) continue;
      for (const std::uint32_t item : from.transaction(kept[bit])) {
        if (rank[item] == not_kept) continue;
        bits.data()[rank[item] * words + bit / 64] |= std::uint64_t{1} << bit % 64;
      }
    }
  };
  if (pool == nullptr) {
    set_bits(0, kept.size());
    return;
  }
  constexpr std::size_t together = 4096;  // transactions, whose bits share no word with others
  pool->wait(pool->submit((kept.size() + together - 1) / together, [&](std::size_t k, unsigned) {
    set_bits(k * together, std::min(kept.size(), (k + 1) * together));
  }));
}

ItemBitmaps ItemBitmaps::only(std::span<const std::uint32_t> ranks) const {
  ItemBitmaps chosen;
  chosen.transactions = transactions;
  chosen.words = words;
  chosen.bits = AlignedWords::unset(words * ranks.size());
  for (const std::uint32_t rank : ranks) {
    std::copy_n(column(rank), words, chosen.bits.data() + chosen.names.size() * words);
    chosen.names.push_back(names[rank]);
    chosen.supports.push_back(supports[rank]);
  }
  return chosen;
}

}  // namespace atl
