#include "src/exhaustive/closed_itemsets.hpp"

#include <algorithm>
#include <limits>

namespace atl {

namespace {

constexpr std::uint32_t dropped = std::numeric_limits<std::uint32_t>::max();

}  // namespace

template <typename Output>
void ClosedMiner<Output>::mine(const Branch& branch) {
  if (branch.node->columns.words != nullptr) {
    OpenLoop loop{branch.prefix, branch.first,          branch.end,
                  nullptr,       &branch.node->columns, branch.node};
    return mine_closed_columns(loop, limits_, memory_, output_);
  }
  const RankedRows& rows = branch.node->rows;
  counts_.assign(std::max(counts_.size(), rows.ranks()), 0);
  new_rank_.assign(std::max(new_rank_.size(), rows.ranks()), dropped);
  OpenLoop loop{branch.prefix, branch.first, branch.end, &rows, nullptr, branch.node, true};
  mine_each(loop, branch.node->index, 0);
}

template <typename Output>
auto ClosedMiner<Output>::level_at(std::size_t depth) -> Level& {
  if (levels_.size() == depth) levels_.push_back(std::make_unique<Level>());
  return *levels_[depth];
}

template <typename Output>
void ClosedMiner<Output>::mine_each(OpenLoop& loop, const RowIndex& index, std::size_t depth) {
  const OpenScope scope(output_.trail, loop);
  while (loop.next < loop.end) {
    mine_item(loop, index, static_cast<std::uint32_t>(loop.next++), depth);
    scope.give_if_asked();
  }
}

template <typename Output>
void ClosedMiner<Output>::mine_item(OpenLoop& loop, const RowIndex& index, std::uint32_t item,
                                    std::size_t depth) {
  const RankedRows& rows = *loop.rows;
  Level& level = level_at(depth);
  count_with(rows, index, level, item);
  const std::uint32_t support = rows.supports[item];
  level.below.clear();
  level.perfect.clear();
  std::size_t before = 0;
  std::size_t kept = 0;
  bool closed = true;
  for (const std::uint32_t rank : level.frequent) {
    if (rank == item) continue;
    if (counts_[rank] == support) {
      closed = closed && rank < item;
      level.perfect.push_back(rows.names[rank]);
      continue;
    }
    level.frequent[kept++] = rank;
    before += rank < item ? 1 : 0;
    level.below.supports.push_back(counts_[rank]);
    level.below.names.push_back(rows.names[rank]);
  }
  level.frequent.resize(kept);
  std::fill_n(counts_.begin(), rows.ranks(), 0U);
  if (!closed) return;
  const Prefix grown{support,
                     loop.prefix.length + 1 + static_cast<std::uint32_t>(level.perfect.size())};
  loop.perfect = level.perfect.data();
  loop.perfects = level.perfect.size();
  if constexpr (Output::lists) {
    output_.add(rows.names[item]);
    for (const std::uint32_t name : level.perfect) output_.add(name);
  }
  if (limits_.family == ItemsetFamily::closed || kept == 0) found(output_, grown);
  if (before > 0 && grown.length < limits_.max_length) {
    project(rows, index, level, item);
    mine_below(level, grown, before, depth);
  }
  if constexpr (Output::lists) {
    for (std::size_t k = 0; k <= loop.perfects; ++k) output_.remove();
  }
}

/// Counts all items in the rows of this one, and finds the frequent ones.
template <typename Output>
void ClosedMiner<Output>::count_with(const RankedRows& rows, const RowIndex& index, Level& level,
                                     std::uint32_t item) {
  constexpr std::uint32_t ahead = 8;  // rows lie anywhere
  const std::uint32_t* const entries = rows.entries.data();
  std::uint32_t* const counts = counts_.data();
  const std::uint32_t end = index.first[item + 1];
  for (std::uint32_t k = index.first[item]; k < end; ++k) {
    if (k + ahead < end) __builtin_prefetch(entries + index.row[k + ahead].start);
    const std::uint32_t weight = index.row[k].weight;
    for (std::uint32_t at = index.row[k].start; at < index.end[k]; ++at) {
      counts[entries[at]] += weight;
    }
  }
  level.frequent.resize(rows.ranks() + frequent_slack);
  level.frequent.resize(
      find_frequent({counts_.data(), rows.ranks()}, limits_.min_count, level.frequent.data()));
}

/// Rows of the item, of the items that are kept.
template <typename Output>
void ClosedMiner<Output>::project(const RankedRows& rows, const RowIndex& index, Level& level,
                                  std::uint32_t item) {
  RankedRows& below = level.below;
  std::uint32_t ranks = 0;
  for (const std::uint32_t rank : level.frequent) new_rank_[rank] = ranks++;
  std::uint64_t most = 0;
  for (const std::uint32_t support : below.supports) most += support;
  most = std::min<std::uint64_t>(most, rows.starts.back());
  if (below.entries.size() <= most) below.entries.resize(most + 1);  // one is written too many
  const std::uint32_t* const entries = rows.entries.data();
  const std::uint32_t* const new_rank = new_rank_.data();
  std::uint32_t* const to = below.entries.data();
  const std::size_t rows_of_item = index.first[item + 1] - index.first[item];
  below.starts.resize(rows_of_item + 1);
  below.weights.resize(rows_of_item);
  std::uint32_t size = 0;
  std::size_t kept_rows = 0;
  for (std::uint32_t k = index.first[item]; k < index.first[item + 1]; ++k) {
    for (std::uint32_t at = index.row[k].start; at < index.end[k]; ++at) {
      to[size] = new_rank[entries[at]];
      size += to[size] != dropped ? 1 : 0;
    }
    if (size == below.starts[kept_rows]) continue;
    below.weights[kept_rows] = index.row[k].weight;
    below.starts[++kept_rows] = size;
  }
  below.starts.resize(kept_rows + 1);
  below.weights.resize(kept_rows);
  for (const std::uint32_t rank : level.frequent) new_rank_[rank] = dropped;
}

/// @param before  sets grow by so many of the items, the first
template <typename Output>
void ClosedMiner<Output>::mine_below(Level& level, const Prefix& grown, std::size_t before,
                                     std::size_t depth) {
  const RankedRows& rows = level.below;
  if (!rows.is_dense()) {
    RowIndex& index = level_at(depth + 1).index;
    index.set(rows, true);
    OpenLoop next{grown, 0, before, &rows, nullptr, nullptr, true};
    return mine_each(next, index, depth + 1);
  }
  const StackScope scope(memory_.stack);
  const BitColumns columns = columns_of_rows(rows.starts, rows.entries.data(), rows.weights,
                                             rows.supports, rows.names.data(), memory_.stack);
  OpenLoop next{grown, 0, before, nullptr, &columns};
  mine_closed_columns(next, limits_, memory_, output_);
}

template class ClosedMiner<CountedItemsets>;
template class ClosedMiner<ListedItemsets>;

}  // namespace atl
