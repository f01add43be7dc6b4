#include "src/exhaustive/pairs/pair_rows.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "src/exhaustive/itemsets/ranked_rows.hpp"

namespace atl {
namespace {

constexpr std::uint32_t not_frequent = std::numeric_limits<std::uint32_t>::max();

/// Sorts ranks, each there once. Long lists are read off a bit for each item.
class RankSorter {
 public:
  explicit RankSorter(std::size_t items) : bits_((items + 63) / 64, 0) {}

  void sort(std::span<std::uint32_t> ranks) {
    if (ranks.size() < bits_.size()) return std::sort(ranks.begin(), ranks.end());
    for (const std::uint32_t r : ranks) bits_[r / 64] |= std::uint64_t{1} << r % 64;
    auto next = ranks.begin();
    for (std::size_t w = 0; w < bits_.size(); ++w) {
      for (std::uint64_t word = std::exchange(bits_[w], 0); word != 0; word &= word - 1) {
        *next++ =
            static_cast<std::uint32_t>(64 * w) + static_cast<std::uint32_t>(std::countr_zero(word));
      }
    }
  }

 private:
  std::vector<std::uint64_t> bits_;  // 0 between calls
};

}  // namespace

PairRows::PairRows(const TransactionSet& transactions, std::uint64_t min_count)
    : names(ranked_items(transactions, min_count)) {
  std::vector<std::uint32_t> rank(transactions.item_count(), not_frequent);
  supports.reserve(names.size());
  for (std::uint32_t r = 0; r < names.size(); ++r) {
    rank[names[r]] = r;
    supports.push_back(transactions.supports()[names[r]]);
  }
  take_rows(transactions, rank);
  find_places();
}

void PairRows::take_rows(const TransactionSet& transactions,
                         const std::vector<std::uint32_t>& rank) {
  std::uint64_t rows = 0, entries = 0;
  for (std::uint32_t t = 0; t < transactions.size(); ++t) {
    const auto frequent =
        std::ranges::count_if(transactions.transaction(t),
                              [&](std::uint32_t item) { return rank[item] != not_frequent; });
    if (frequent < 2) continue;
    ++rows;
    entries += static_cast<std::uint64_t>(frequent);
  }
  RankSorter sorter(names.size());
  starts_.reserve(rows + 1);
  ranks_.reserve(entries);
  for (std::uint32_t t = 0; t < transactions.size(); ++t) {
    const auto first = static_cast<std::size_t>(starts_.back());
    for (const std::uint32_t item : transactions.transaction(t)) {
      if (rank[item] != not_frequent) ranks_.push_back(rank[item]);
    }
    if (ranks_.size() < first + 2) {
      ranks_.resize(first);
      continue;
    }
    sorter.sort(std::span(ranks_).subspan(first));
    starts_.push_back(ranks_.size());
  }
}

void PairRows::find_places() {
  first_place_.assign(names.size() + 1, 0);
  for (const std::uint32_t r : ranks_) ++first_place_[r + 1];
  for (std::size_t r = 0; r < names.size(); ++r) first_place_[r + 1] += first_place_[r];
  std::vector<std::uint64_t> next(first_place_.begin(), first_place_.end() - 1);
  places_.resize(ranks_.size());
  meetings.assign(names.size(), 0);
  for (std::uint32_t t = 0; t < this->transactions(); ++t) {
    std::uint32_t before = 0;
    for (const std::uint32_t r : transaction(t)) {
      places_[next[r]++] = {t, before};
      meetings[r] += before++;
    }
  }
}

}  // namespace atl
