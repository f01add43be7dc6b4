#include "src/exhaustive/pairs/list_counter.hpp"

#include <algorithm>
#include <bit>

#include "src/exhaustive/itemsets/bit_columns.hpp"

namespace atl {
namespace {

// Far enough ahead for memory to answer meanwhile.
constexpr std::size_t starts_ahead = 24, ranks_ahead = 12;

}  // namespace

ListCounter::ListCounter(const PairRows& rows)
    : rows_(rows),
      counts_((std::size_t{rows.items()} / 16 + 1) * 16, 0),
      lines_(counts_.size() / 1024 + 1, 0) {}

/// @tparam Few  the lines that are touched are noted
template <bool Few>
void ListCounter::meet(std::uint32_t row, std::uint32_t first) {
  const auto places = rows_.places(row);
  std::uint32_t* const counts = counts_.data();
  for (std::size_t k = 0; k < places.size(); ++k) {
    if (k + starts_ahead < places.size()) {
      __builtin_prefetch(rows_.start_of(places[k + starts_ahead].transaction));
    }
    if (k + ranks_ahead < places.size()) {
      const PairRows::Place& ahead = places[k + ranks_ahead];
      __builtin_prefetch(rows_.begin_of(ahead.transaction) + ahead.before);
    }
    const std::uint32_t* const begin = rows_.begin_of(places[k].transaction);
    for (const std::uint32_t* at = begin + places[k].before; at > begin && at[-1] >= first; --at) {
      const std::uint32_t column = at[-1];
      ++counts[column];
      if constexpr (Few) {
        lines_[column >> (line_bits + 6)] |= std::uint64_t{1} << (column >> line_bits & 63);
      }
    }
  }
}

void ListCounter::take_all(std::uint32_t row, std::uint32_t first, std::uint64_t min_count,
                           std::vector<std::uint32_t>& columns,
                           std::vector<std::uint32_t>& counts) {
  const std::size_t before = columns.size();
  columns.resize(before + (row - first) + frequent_slack);
  const std::size_t found = find_frequent(std::span(counts_).subspan(first, row - first), min_count,
                                          columns.data() + before);
  columns.resize(before + found);
  for (std::size_t k = before; k < columns.size(); ++k) {
    columns[k] += first;
    counts.push_back(counts_[columns[k]]);
  }
  std::fill(counts_.begin() + first, counts_.begin() + row, 0);
}

void ListCounter::take_lines(std::uint64_t min_count, std::vector<std::uint32_t>& columns,
                             std::vector<std::uint32_t>& counts) {
  for (std::size_t w = 0; w < lines_.size(); ++w) {
    std::uint64_t lines = lines_[w];
    if (lines == 0) continue;
    lines_[w] = 0;
    for (; lines != 0; lines &= lines - 1) {
      const std::size_t line = 64 * w + static_cast<std::size_t>(std::countr_zero(lines));
      const std::size_t begin = line << line_bits;
      for (std::size_t c = begin; c < begin + (std::size_t{1} << line_bits); ++c) {
        if (counts_[c] >= min_count) {
          columns.push_back(static_cast<std::uint32_t>(c));
          counts.push_back(counts_[c]);
        }
        counts_[c] = 0;
      }
    }
  }
}

void ListCounter::count_row(std::uint32_t row, std::uint32_t first, std::uint64_t min_count,
                            std::vector<std::uint32_t>& columns,
                            std::vector<std::uint32_t>& counts) {
  if (first >= row) return;
  if (rows_.meetings[row] < (row - first) / 8) {
    meet<true>(row, first);
    take_lines(min_count, columns, counts);
  } else {
    meet<false>(row, first);
    take_all(row, first, min_count, columns, counts);
  }
}

}  // namespace atl
