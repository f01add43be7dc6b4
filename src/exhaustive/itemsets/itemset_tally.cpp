#include "src/exhaustive/itemsets/itemset_tally.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace atl {
namespace {

constexpr std::uint64_t most_sets = std::numeric_limits<std::uint64_t>::max();

__extension__ using Wide = unsigned __int128;

std::uint64_t limited(Wide number) noexcept {
  return number > most_sets ? most_sets : static_cast<std::uint64_t>(number);
}

/// [n + 1] ways to choose k of n, at most `most_sets`.
std::vector<std::uint64_t> binomials(std::size_t n) {
  std::vector<std::uint64_t> ways(n + 1, most_sets);
  Wide way = 1;
  for (std::size_t k = 0; k <= n / 2 && way <= most_sets; ++k) {
    ways[k] = ways[n - k] = static_cast<std::uint64_t>(way);
    way = way * (n - k) / (k + 1);
  }
  return ways;
}

}  // namespace

template <typename T>
void ItemsetTally::empty(Lanes& lanes, std::size_t perfect, std::size_t length) {
  std::array<T, 64 / sizeof(T)> counts;
  std::memcpy(counts.data(), lanes.bytes.data(), 64);
  for (std::size_t l = 0; l < counts.size(); ++l) {
    if (counts[l] == 0) continue;
    add(perfect, length + static_cast<std::size_t>(std::popcount(l)), counts[l]);
  }
  lanes = {};
}

template void ItemsetTally::empty<std::uint16_t>(Lanes&, std::size_t, std::size_t);
template void ItemsetTally::empty<std::uint32_t>(Lanes&, std::size_t, std::size_t);
template void ItemsetTally::empty<std::uint64_t>(Lanes&, std::size_t, std::size_t);

template <typename T>
void ItemsetTally::empty_all() {
  auto& table = lanes_[sizeof(T) / 4];
  for (std::size_t perfect = 0; perfect < table.size(); ++perfect) {
    for (std::size_t length = 0; length < table[perfect].size(); ++length) {
      empty<T>(table[perfect][length], perfect, length);
    }
  }
}

void ItemsetTally::empty_all_lanes() {
  empty_all<std::uint16_t>();
  empty_all<std::uint32_t>();
  empty_all<std::uint64_t>();
}

std::vector<ItemsetTally::Entry> ItemsetTally::entries() {
  empty_all_lanes();
  std::vector<Entry> entries;
  for (std::size_t perfect = 0; perfect < sets_.size(); ++perfect) {
    const std::vector<std::uint64_t>& row = sets_[perfect];
    for (std::size_t length = 0; length < row.size(); ++length) {
      if (row[length] != 0) entries.push_back({perfect, length, row[length]});
    }
  }
  return entries;
}

void ItemsetTally::add(ItemsetTally& other) {
  for (const Entry& entry : other.entries()) add(entry.perfect, entry.length, entry.sets);
}

std::vector<std::uint64_t> ItemsetTally::by_length() {
  empty_all_lanes();
  std::vector<std::uint64_t> totals;
  for (std::size_t perfect = 0; perfect < sets_.size(); ++perfect) {
    const std::vector<std::uint64_t>& row = sets_[perfect];
    if (std::ranges::all_of(row, [](std::uint64_t n) { return n == 0; })) continue;
    const std::vector<std::uint64_t> ways = binomials(perfect);
    totals.resize(std::max(totals.size(), row.size() + perfect));
    for (std::size_t length = 0; length < row.size(); ++length) {
      if (row[length] == 0) continue;
      for (std::size_t k = 0; k <= perfect; ++k) {
        std::uint64_t& total = totals[length + k];
        total = limited(Wide{row[length]} * ways[k] + total);
      }
    }
  }
  while (!totals.empty() && totals.back() == 0) totals.pop_back();
  return totals;
}

}  // namespace atl
