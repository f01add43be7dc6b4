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

void PairRows::find_places(ThreadPool* pool) {
  places_ = deal_in_parallel<Place>(
      transactions(), names.size(),
      [&](std::size_t t, const auto& take) {
        std::uint32_t before = 0;
        for (const std::uint32_t r : transaction(static_cast<std::uint32_t>(t)))
          take(r, {static_cast<std::uint32_t>(t), before++});
      },
      pool);
  meetings.assign(names.size(), 0);
  const Parts parts(items(), 4 * threads_of(pool));
  for_each_index(pool, parts.size(), [&](std::size_t part) {
    for (std::uint32_t r = parts.begin(part); r < parts.begin(part + 1); ++r) {
      for (const Place& place : places(r)) meetings[r] += place.before;
    }
  });
}

}  // namespace atl
