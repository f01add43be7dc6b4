#include "src/exhaustive/pairs/list_counter.hpp"

#include <algorithm>
#include <bit>

#include "src/exhaustive/itemsets/bit_columns.hpp"

namespace atl {
namespace {

// Far enough ahead for memory to answer meanwhile, at short lists and at long ones.
constexpr std::size_t ahead_of_short = 8, ahead_of_long = 6;
constexpr std::uint32_t lines_ahead = 8;

}  // namespace

ListCounter::ListCounter(const PairRows& rows)
    : rows_(rows),
      counts_(((std::size_t{rows.items()} >> line_bits) + 1) << line_bits, 0),
      lines_((counts_.size() >> (line_bits + 6)) + 1, 0) {}

/// @tparam Few  the lines that are touched are noted
template <bool Few>
void ListCounter::meet(std::uint32_t row, std::uint32_t first) {
  const auto places = rows_.places(row);
  std::uint32_t* const counts = counts_.data();
  constexpr std::size_t ranks_ahead = Few ? ahead_of_short : ahead_of_long;
  constexpr std::size_t starts_ahead = 2 * ranks_ahead;
  for (std::size_t k = 0; k < places.size(); ++k) {
    if (k + starts_ahead < places.size()) {
      __builtin_prefetch(rows_.start_of(places[k + starts_ahead].transaction));
    }
    if (k + ranks_ahead < places.size()) {
      const PairRows::Place& ahead = places[k + ranks_ahead];
      const std::uint32_t* const end = rows_.begin_of(ahead.transaction) + ahead.before;
      for (std::uint32_t line = 0; line < std::min(ahead.before, lines_ahead * 16); line += 16) {
        __builtin_prefetch(end - line);
      }
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

/// Of a line mostly one column was met, at a place that no branch can foretell.
void ListCounter::take_lines(std::uint64_t min_count, std::vector<std::uint32_t>& columns,
                             std::vector<std::uint32_t>& counts) {
  constexpr std::size_t line_size = std::size_t{1} << line_bits;
  const auto least = static_cast<std::uint32_t>(min_count);
  std::size_t found = columns.size();
  for (std::size_t w = 0; w < lines_.size(); ++w) {
    std::uint64_t lines = lines_[w];
    if (lines == 0) continue;
    lines_[w] = 0;
    const std::size_t most = found + line_size * static_cast<std::size_t>(std::popcount(lines)) + 1;
    columns.resize(most);
    counts.resize(most);
    for (; lines != 0; lines &= lines - 1) {
      const std::size_t line = 64 * w + static_cast<std::size_t>(std::countr_zero(lines));
      std::uint32_t* const here = counts_.data() + (line << line_bits);
      for (std::size_t c = 0; c < line_size; ++c) {
        columns[found] = static_cast<std::uint32_t>((line << line_bits) + c);
        counts[found] = here[c];
        found += here[c] >= least ? 1 : 0;
      }
      std::fill_n(here, line_size, 0);
    }
  }
  columns.resize(found);
  counts.resize(found);
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
