#include "src/exhaustive/itemsets/ranked_rows.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace atl {
namespace {

constexpr std::uint32_t infrequent = std::numeric_limits<std::uint32_t>::max();

/// Finds rows that are equal to the last one.
class EqualRows {
 public:
  explicit EqualRows(std::size_t rows) : slots_(std::bit_ceil(2 * rows + 1)) {}

  /// Joins the entries behind the last row to a row that is equal, or makes them a row.
  void add_row(RankedRows& rows) {
    const std::size_t first = rows.starts.back();
    const std::size_t length = rows.entries.size() - first;
    const std::uint32_t* const row = rows.entries.data() + first;
    std::uint64_t hash = length;
    for (std::size_t k = 0; k < length; ++k) {
      hash = (hash ^ row[k]) * 0x9E3779B97F4A7C15;
      hash ^= hash >> 29;
    }
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t s = hash & mask;; s = (s + 1) & mask) {
      const std::uint32_t other = slots_[s];
      if (other == 0) {
        rows.weights.push_back(1);
        rows.starts.push_back(static_cast<std::uint32_t>(rows.entries.size()));
        slots_[s] = static_cast<std::uint32_t>(rows.rows());
        return;
      }
      const std::size_t begin = rows.starts[other - 1];
      if (rows.starts[other] - begin == length &&
          std::equal(row, row + length, rows.entries.data() + begin)) {
        ++rows.weights[other - 1];
        rows.entries.resize(first);
        return;
      }
    }
  }

 private:
  std::vector<std::uint32_t> slots_;  // row + 1; 0: free
};

void sort_row(std::uint32_t* first, std::uint32_t* last) {
  if (last - first > 40) return std::sort(first, last);
  for (std::uint32_t* next = first + 1; next < last; ++next) {
    const std::uint32_t rank = *next;
    std::uint32_t* to = next;
    for (; to > first && to[-1] > rank; --to) *to = to[-1];
    *to = rank;
  }
}

}  // namespace

void RankedRows::clear() noexcept {
  starts.assign(1, 0);
  weights.clear();
  supports.clear();
  names.clear();
}

bool RankedRows::is_dense() const noexcept {
  if (rows() <= 64 && ranks() <= 4096) return true;
  return static_cast<double>(starts.back()) >=
         0.05 * static_cast<double>(rows()) * static_cast<double>(ranks());
}

std::vector<std::uint32_t> ranked_items(const TransactionSet& transactions,
                                        std::uint64_t min_count) {
  const std::vector<std::uint32_t>& supports = transactions.supports();
  std::vector<std::uint32_t> items;
  for (std::uint32_t item = 0; item < transactions.item_count(); ++item) {
    if (supports[item] >= min_count) items.push_back(item);
  }
  std::ranges::stable_sort(
      items, [&](std::uint32_t a, std::uint32_t b) { return supports[a] > supports[b]; });
  return items;
}

RankedRows ranked_rows(const TransactionSet& transactions, std::uint64_t min_count,
                       std::size_t skip_first) {
  const std::vector<std::uint32_t>& supports = transactions.supports();
  RankedRows rows;
  rows.names = ranked_items(transactions, min_count);
  rows.names.erase(rows.names.begin(),
                   rows.names.begin() + static_cast<std::ptrdiff_t>(skip_first));
  std::vector<std::uint32_t> rank(transactions.item_count(), infrequent);
  std::uint64_t entries = 0;
  for (std::uint32_t r = 0; r < rows.names.size(); ++r) {
    rank[rows.names[r]] = r;
    rows.supports.push_back(supports[rows.names[r]]);
    entries += rows.supports.back();
  }
  if (rows.names.empty()) return rows;

  rows.entries.reserve(std::min<std::uint64_t>(entries, transactions.entries()));
  EqualRows equal(transactions.size());
  for (std::uint32_t t = 0; t < transactions.size(); ++t) {
    const std::size_t first = rows.entries.size();
    for (const std::uint32_t item : transactions.transaction(t)) {
      if (rank[item] != infrequent) rows.entries.push_back(rank[item]);
    }
    if (rows.entries.size() == first) continue;
    sort_row(rows.entries.data() + first, rows.entries.data() + rows.entries.size());
    equal.add_row(rows);
  }
  return rows;
}

}  // namespace atl
