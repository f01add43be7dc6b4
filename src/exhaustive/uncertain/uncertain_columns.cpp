#include "src/exhaustive/uncertain/uncertain_columns.hpp"

#include <bit>
#include <utility>

namespace atl {
namespace {

constexpr std::size_t bits_of_block = 512;

/// Where transactions come to lie in the columns.
struct Places {
  std::vector<std::uint32_t> kept;  // [bits] the transaction, or none
  std::size_t certain = 0;          // where certain ones begin
};

Places places_of(const TransactionSet& transactions, std::span<const std::uint32_t> items) {
  const std::vector<std::uint32_t> all = transactions_with(1, transactions, items);
  const std::vector<double>& probabilities = transactions.probabilities();
  const auto is_certain = [&](std::uint32_t t) {
    return probabilities.empty() || probabilities[t] == 1;
  };
  Places places;
  places.kept.reserve(all.size() + bits_of_block);
  for (const std::uint32_t t : all) {
    if (!is_certain(t)) places.kept.push_back(t);
  }
  places.certain = (places.kept.size() + bits_of_block - 1) / bits_of_block * bits_of_block;
  places.kept.resize(places.certain, ItemBitmaps::no_transaction);
  for (const std::uint32_t t : all) {
    if (is_certain(t)) places.kept.push_back(t);
  }
  return places;
}

}  // namespace

UncertainColumns::UncertainColumns(const TransactionSet& transactions,
                                   std::vector<std::uint32_t> items, ThreadPool* pool) {
  const Places places = places_of(transactions, items);
  bitmaps = ItemBitmaps(transactions, std::move(items), places.kept, pool);
  certain_word = places.certain / 64;
  probabilities.assign(places.certain, 0);
  for (std::size_t bit = 0; bit < places.certain; ++bit) {
    if (places.kept[bit] == ItemBitmaps::no_transaction) continue;
    probabilities[bit] = transactions.probabilities()[places.kept[bit]];
  }
}

void find_probabilities(const UncertainColumns& columns, std::span<const std::uint32_t> set,
                        std::vector<double>& out) {
  out.clear();
  for (std::size_t w = 0; w < columns.certain_word; ++w) {
    std::uint64_t word = ~std::uint64_t{0};
    for (const std::uint32_t rank : set) word &= columns.bitmaps.column(rank)[w];
    for (; word != 0; word &= word - 1) {
      out.push_back(columns.probabilities[w * 64 + static_cast<unsigned>(std::countr_zero(word))]);
    }
  }
}

}  // namespace atl
