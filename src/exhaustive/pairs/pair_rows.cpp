#include "src/exhaustive/pairs/pair_rows.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "src/core/parallel.hpp"
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

/// Runs of numbers below a count, one behind the other.
class Parts {
 public:
  Parts(std::uint32_t count, std::size_t parts) : count_(count), parts_(parts) {}

  std::size_t size() const noexcept { return parts_; }
  std::uint32_t begin(std::size_t part) const noexcept {
    return static_cast<std::uint32_t>(std::uint64_t{count_} * part / parts_);
  }

 private:
  std::uint32_t count_;
  std::size_t parts_;
};

std::size_t threads_of(const ThreadPool* pool) {
  return pool == nullptr ? 1 : pool->threads();
}

}  // namespace

PairRows::PairRows(const TransactionSet& transactions, std::uint64_t min_count, ThreadPool* pool)
    : names(ranked_items(transactions, min_count)) {
  std::vector<std::uint32_t> rank(transactions.item_count(), not_frequent);
  supports.reserve(names.size());
  for (std::uint32_t r = 0; r < names.size(); ++r) {
    rank[names[r]] = r;
    supports.push_back(transactions.supports()[names[r]]);
  }
  take_rows(transactions, rank, pool);
  find_places(pool);
}

/// Each part of the transactions is counted first, so that all know where theirs begin.
void PairRows::take_rows(const TransactionSet& transactions, const std::vector<std::uint32_t>& rank,
                         ThreadPool* pool) {
  const Parts parts(static_cast<std::uint32_t>(transactions.size()), 4 * threads_of(pool));
  struct Size {
    std::uint64_t rows = 0, entries = 0;
  };
  std::vector<Size> before(parts.size() + 1);
  const auto is_frequent = [&](std::uint32_t item) { return rank[item] != not_frequent; };
  for_each_index(pool, parts.size(), [&](std::size_t part) {
    Size size;
    for (std::uint32_t t = parts.begin(part); t < parts.begin(part + 1); ++t) {
      const auto frequent = std::ranges::count_if(transactions.transaction(t), is_frequent);
      if (frequent < 2) continue;
      ++size.rows;
      size.entries += static_cast<std::uint64_t>(frequent);
    }
    before[part + 1] = size;
  });
  for (std::size_t part = 0; part < parts.size(); ++part) {
    before[part + 1].rows += before[part].rows;
    before[part + 1].entries += before[part].entries;
  }
  starts_.assign(before.back().rows + 1, 0);
  ranks_.resize(before.back().entries);
  for_each_index(pool, parts.size(), [&](std::size_t part) {
    RankSorter sorter(names.size());
    std::vector<std::uint32_t> row;
    auto [next_row, next] = before[part];
    for (std::uint32_t t = parts.begin(part); t < parts.begin(part + 1); ++t) {
      row.clear();
      for (const std::uint32_t item : transactions.transaction(t)) {
        if (is_frequent(item)) row.push_back(rank[item]);
      }
      if (row.size() < 2) continue;
      sorter.sort(row);
      std::ranges::copy(row, ranks_.begin() + static_cast<std::ptrdiff_t>(next));
      next += row.size();
      starts_[++next_row] = next;
    }
  });
}

/// Each part of the rows counts its items first, so that it knows where its places of an item are.
void PairRows::find_places(ThreadPool* pool) {
  constexpr std::size_t most_counts = std::size_t{1} << 26;  // of all parts
  const std::size_t items = names.size();
  const std::size_t most = std::max<std::size_t>(most_counts / std::max<std::size_t>(items, 1), 1);
  const Parts parts(transactions(), std::min(threads_of(pool), most));
  std::vector<std::uint32_t> next(parts.size() * items,
                                  0);  // [parts][items] behind an item's first
  for_each_index(pool, parts.size(), [&](std::size_t part) {
    std::uint32_t* const own = next.data() + part * items;
    for (std::uint64_t i = starts_[parts.begin(part)]; i < starts_[parts.begin(part + 1)]; ++i) {
      ++own[ranks_[i]];
    }
  });
  first_place_.assign(items + 1, 0);
  for (std::size_t r = 0; r < items; ++r) {
    std::uint32_t sum = 0;
    for (std::size_t part = 0; part < parts.size(); ++part) {
      sum += std::exchange(next[part * items + r], sum);
    }
    first_place_[r + 1] = first_place_[r] + sum;
  }
  places_.resize(ranks_.size());
  for_each_index(pool, parts.size(), [&](std::size_t part) {
    std::uint32_t* const own = next.data() + part * items;
    for (std::uint32_t t = parts.begin(part); t < parts.begin(part + 1); ++t) {
      std::uint32_t before = 0;
      for (const std::uint32_t r : transaction(t)) {
        places_[first_place_[r] + own[r]++] = {t, before++};
      }
    }
  });
  meetings.assign(items, 0);
  const Parts of_items(static_cast<std::uint32_t>(items), 4 * threads_of(pool));
  for_each_index(pool, of_items.size(), [&](std::size_t part) {
    for (std::uint32_t r = of_items.begin(part); r < of_items.begin(part + 1); ++r) {
      for (const Place& place : places(r)) meetings[r] += place.before;
    }
  });
}

}  // namespace atl
