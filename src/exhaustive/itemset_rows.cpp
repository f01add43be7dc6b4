#include "src/exhaustive/itemset_rows.hpp"

#include <algorithm>
#include <limits>

namespace atl {

namespace {

constexpr std::uint32_t left_out = std::numeric_limits<std::uint32_t>::max();

}  // namespace

template <typename Output>
void RowMiner<Output>::mine(const RankedRows& rows, const Prefix& prefix) {
  counts_.assign(rows.ranks(), 0);
  new_rank_.assign(rows.ranks(), left_out);
  mine_each(rows, prefix, 0);
}

template <typename Output>
void RowMiner<Output>::mine_each(const RankedRows& rows, const Prefix& prefix, std::size_t depth) {
  if (rows.is_dense()) {
    const StackScope scope(memory_.stack);
    const BitColumns columns = columns_of_rows(rows.starts, rows.entries.data(), rows.weights,
                                               rows.supports, rows.names.data(), memory_.stack);
    return mine_columns(columns, prefix, limits_, memory_, output_);
  }
  if (levels_.size() == depth) levels_.push_back(std::make_unique<Level>());
  Level& level = *levels_[depth];
  index(rows, level);
  for (std::uint32_t item = 0; item < rows.ranks(); ++item) {
    Prefix grown{rows.supports[item], prefix.length + 1, prefix.perfect};
    if constexpr (Output::lists) {
      output_.add(rows.names[item]);
      output_.found(grown.length, grown.support);
    }
    level.below.clear();
    if (item > 0 && grown.length < limits_.max_length) {
      count_with(rows, level, item);
      keep_frequent(rows, level, grown);
      clear_counts(rows, level, item);
    }
    if constexpr (!Output::lists) output_.tally.add(grown.perfect, grown.length, 1);
    if (level.below.ranks() == 1) {
      mine_single(level.below, grown);
    } else if (level.below.ranks() > 1) {
      project(rows, level, item);
      mine_each(level.below, grown, depth + 1);
    }
    if constexpr (Output::lists) output_.remove();
  }
}

template <typename Output>
void RowMiner<Output>::mine_single(const RankedRows& rows, const Prefix& prefix) {
  if constexpr (Output::lists) {
    output_.add(rows.names[0]);
    output_.found(prefix.length + 1, rows.supports[0]);
    output_.remove();
  } else {
    output_.tally.add(prefix.perfect, prefix.length + 1, 1);
  }
}

template <typename Output>
void RowMiner<Output>::index(const RankedRows& rows, Level& level) {
  const std::size_t entries = rows.starts.back();
  level.first.assign(rows.ranks() + 2, 0);
  for (std::size_t k = 0; k < entries; ++k) ++level.first[rows.entries[k] + 2];
  for (std::size_t i = 2; i < level.first.size(); ++i) level.first[i] += level.first[i - 1];
  if (level.row.size() < entries) level.row.resize(entries);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (std::uint32_t k = rows.starts[r]; k < rows.starts[r + 1]; ++k) {
      level.row[level.first[rows.entries[k] + 1]++] = {rows.starts[r], rows.weights[r]};
    }
  }
}

/// Counts the items before this one in its rows, and finds the frequent ones.
template <typename Output>
void RowMiner<Output>::count_with(const RankedRows& rows, Level& level, std::uint32_t item) {
  constexpr std::uint32_t ahead = 8;  // rows lie anywhere
  const std::uint32_t* const entries = rows.entries.data();
  std::uint32_t* const counts = counts_.data();
  const std::uint32_t end = level.first[item + 1];
  for (std::uint32_t k = level.first[item]; k < end; ++k) {
    if (k + ahead < end) __builtin_prefetch(entries + level.row[k + ahead].start);
    const std::uint32_t weight = level.row[k].weight;
    for (const std::uint32_t* at = entries + level.row[k].start; *at != item; ++at) {
      counts[*at] += weight;
    }
  }
  level.frequent.resize(rows.ranks() + frequent_slack);
  level.frequent.resize(
      find_frequent({counts_.data(), item}, limits_.min_count, level.frequent.data()));
}

template <typename Output>
void RowMiner<Output>::keep_frequent(const RankedRows& rows, Level& level, Prefix& grown) {
  std::size_t kept = 0;
  for (const std::uint32_t rank : level.frequent) {
    if (!Output::lists && counts_[rank] == grown.support) {
      ++grown.perfect;
      continue;
    }
    level.frequent[kept++] = rank;
    level.below.supports.push_back(counts_[rank]);
    level.below.names.push_back(rows.names[rank]);
  }
  level.frequent.resize(kept);
}

/// The counts are 0 again.
template <typename Output>
void RowMiner<Output>::clear_counts(const RankedRows& rows, const Level& level,
                                    std::uint32_t item) {
  const std::uint32_t count = level.first[item + 1] - level.first[item];
  if (item / 64 <= count) {
    std::fill_n(counts_.begin(), item, 0);
    return;
  }
  for (std::uint32_t k = level.first[item]; k < level.first[item + 1]; ++k) {
    for (const std::uint32_t* at = rows.entries.data() + level.row[k].start; *at != item; ++at) {
      counts_[*at] = 0;
    }
  }
}

/// Rows of the item, of the items that are kept.
template <typename Output>
void RowMiner<Output>::project(const RankedRows& rows, Level& level, std::uint32_t item) {
  RankedRows& below = level.below;
  std::uint32_t ranks = 0;
  for (const std::uint32_t rank : level.frequent) new_rank_[rank] = ranks++;
  std::uint64_t most = 0;
  for (const std::uint32_t support : below.supports) most += support;
  most = std::min<std::uint64_t>(most, rows.starts.back());
  if (below.entries.size() <= most) below.entries.resize(most + 1);  // one is written too many
  const std::uint32_t* const new_rank = new_rank_.data();
  std::uint32_t* const to = below.entries.data();
  std::uint32_t size = 0;
  for (std::uint32_t k = level.first[item]; k < level.first[item + 1]; ++k) {
    for (const std::uint32_t* at = rows.entries.data() + level.row[k].start; *at != item; ++at) {
      to[size] = new_rank[*at];
      size += new_rank[*at] != left_out ? 1 : 0;
    }
    if (size > below.starts.back()) {
      below.starts.push_back(size);
      below.weights.push_back(level.row[k].weight);
    }
  }
  for (const std::uint32_t rank : level.frequent) new_rank_[rank] = left_out;
}

template class RowMiner<CountedItemsets>;
template class RowMiner<ListedItemsets>;

}  // namespace atl
