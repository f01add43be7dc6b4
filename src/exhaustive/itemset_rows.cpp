#include "src/exhaustive/itemset_rows.hpp"

#include <algorithm>
#include <limits>

namespace atl {

namespace {

constexpr std::uint32_t left_out = std::numeric_limits<std::uint32_t>::max();

}  // namespace

template <typename Output>
void RowMiner<Output>::mine(const Branch& branch) {
  const RankedRows& rows = branch.node->rows;
  if (branch.node->columns.words != nullptr) {
    return mine_columns(branch, limits_, memory_, output_);
  }
  if (rows.is_dense()) return mine_dense(rows, branch.prefix);
  counts_.assign(std::max(counts_.size(), rows.ranks()), 0);
  new_rank_.assign(std::max(new_rank_.size(), rows.ranks()), left_out);
  OpenLoop loop{branch.prefix, branch.first, branch.end, &rows, nullptr, branch.node};
  mine_each(loop, branch.node->index, 0);
}

template <typename Output>
void RowMiner<Output>::mine_dense(const RankedRows& rows, const Prefix& prefix) {
  const StackScope scope(memory_.stack);
  const BitColumns columns = columns_of_rows(rows.starts, rows.entries.data(), rows.weights,
                                             rows.supports, rows.names.data(), memory_.stack);
  mine_columns(columns, prefix, limits_, memory_, output_);
}

template <typename Output>
auto RowMiner<Output>::level_at(std::size_t depth) -> Level& {
  if (levels_.size() == depth) levels_.push_back(std::make_unique<Level>());
  return *levels_[depth];
}

template <typename Output>
void RowMiner<Output>::mine_below(const RankedRows& rows, const Prefix& prefix, std::size_t depth) {
  if (rows.is_dense()) return mine_dense(rows, prefix);
  RowIndex& index = level_at(depth).index;
  index.set(rows, false);
  OpenLoop loop{prefix, 0, rows.ranks(), &rows};
  mine_each(loop, index, depth);
}

template <typename Output>
void RowMiner<Output>::mine_each(OpenLoop& loop, const RowIndex& index, std::size_t depth) {
  const RankedRows& rows = *loop.rows;
  const OpenScope scope(output_.trail, loop);
  Level& level = level_at(depth);
  while (loop.next < loop.end) {
    const auto item = static_cast<std::uint32_t>(loop.next++);
    Prefix grown{rows.supports[item], loop.prefix.length + 1, loop.prefix.perfect};
    if constexpr (Output::lists) {
      output_.add(rows.names[item]);
      output_.found(grown.length, grown.support);
    }
    level.below.clear();
    if (item > 0 && grown.length < limits_.max_length) {
      count_with(rows, index, level, item);
      keep_frequent(rows, level, grown);
      clear_counts(rows, index, item);
    }
    if constexpr (!Output::lists) output_.tally.add(grown.perfect, grown.length, 1);
    if (level.below.ranks() == 1) {
      mine_single(level.below, grown);
    } else if (level.below.ranks() > 1) {
      project(rows, index, level, item);
      mine_below(level.below, grown, depth + 1);
    }
    if constexpr (Output::lists) output_.remove();
    scope.give_if_asked();
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

/// Counts the items before this one in its rows, and finds the frequent ones.
template <typename Output>
void RowMiner<Output>::count_with(const RankedRows& rows, const RowIndex& index, Level& level,
                                  std::uint32_t item) {
  constexpr std::uint32_t ahead = 8;  // rows lie anywhere
  const std::uint32_t* const entries = rows.entries.data();
  std::uint32_t* const counts = counts_.data();
  const std::uint32_t end = index.first[item + 1];
  for (std::uint32_t k = index.first[item]; k < end; ++k) {
    if (k + ahead < end) __builtin_prefetch(entries + index.row[k + ahead].start);
    const std::uint32_t weight = index.row[k].weight;
    for (const std::uint32_t* at = entries + index.row[k].start; *at != item; ++at) {
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
void RowMiner<Output>::clear_counts(const RankedRows& rows, const RowIndex& index,
                                    std::uint32_t item) {
  const std::uint32_t count = index.first[item + 1] - index.first[item];
  if (item / 64 <= count) {
    std::fill_n(counts_.begin(), item, 0);
    return;
  }
  for (std::uint32_t k = index.first[item]; k < index.first[item + 1]; ++k) {
    for (const std::uint32_t* at = rows.entries.data() + index.row[k].start; *at != item; ++at) {
      counts_[*at] = 0;
    }
  }
}

/// Rows of the item, of the items that are kept.
template <typename Output>
void RowMiner<Output>::project(const RankedRows& rows, const RowIndex& index, Level& level,
                               std::uint32_t item) {
  RankedRows& below = level.below;
  std::uint32_t ranks = 0;
  for (const std::uint32_t rank : level.frequent) new_rank_[rank] = ranks++;
  std::uint64_t most = 0;
  for (const std::uint32_t support : below.supports) most += support;
  most = std::min<std::uint64_t>(most, rows.starts.back());
  if (below.entries.size() <= most) below.entries.resize(most + 1);  // one is written too many
  const std::uint32_t* const new_rank = new_rank_.data();
  std::uint32_t* const to = below.entries.data();
  const std::size_t rows_of_item = index.first[item + 1] - index.first[item];
  below.starts.resize(rows_of_item + 1);
  below.weights.resize(rows_of_item);
  std::uint32_t size = 0;
  std::size_t kept_rows = 0;
  for (std::uint32_t k = index.first[item]; k < index.first[item + 1]; ++k) {
    for (const std::uint32_t* at = rows.entries.data() + index.row[k].start; *at != item; ++at) {
      to[size] = new_rank[*at];
      size += new_rank[*at] != left_out ? 1 : 0;
    }
    if (size == below.starts[kept_rows]) continue;
    below.weights[kept_rows] = index.row[k].weight;
    below.starts[++kept_rows] = size;
  }
  below.starts.resize(kept_rows + 1);
  below.weights.resize(kept_rows);
  for (const std::uint32_t rank : level.frequent) new_rank_[rank] = left_out;
}

template class RowMiner<CountedItemsets>;
template class RowMiner<ListedItemsets>;

}  // namespace atl
