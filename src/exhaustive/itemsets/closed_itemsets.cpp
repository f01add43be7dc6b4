#include "src/exhaustive/itemsets/closed_itemsets.hpp"

namespace atl {

template <typename Output>
void ClosedMiner<Output>::mine(const Branch& branch) {
  OpenLoop loop = loop_of(branch);
  if (loop.columns != nullptr) return mine_closed_columns(loop, limits_, memory_, output_);
  steps_.make_room(loop.rows->ranks());
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
  steps_.count_with(rows, index, item, limits_.min_count, level.frequent);
  const std::uint32_t support = rows.supports[item];
  level.below.clear();
  level.perfect.clear();
  std::size_t before = 0;
  std::size_t kept = 0;
  bool closed = true;
  for (const std::uint32_t rank : level.frequent) {
    if (rank == item) continue;
    if (steps_.count(rank) == support) {
      closed = closed && rank < item;
      level.perfect.push_back(rows.names[rank]);
      continue;
    }
    level.frequent[kept++] = rank;
    before += rank < item ? 1 : 0;
    level.below.supports.push_back(steps_.count(rank));
    level.below.names.push_back(rows.names[rank]);
  }
  level.frequent.resize(kept);
  steps_.clear_counts(rows, index, item);
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
    steps_.project(rows, index, item, level.frequent, level.below);
    mine_below(level, grown, before, depth);
  }
  if constexpr (Output::lists) {
    for (std::size_t k = 0; k <= loop.perfects; ++k) output_.remove();
  }
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
  const BitColumns columns = columns_of_rows(rows, memory_.stack);
  OpenLoop next{grown, 0, before, nullptr, &columns};
  mine_closed_columns(next, limits_, memory_, output_);
}

template class ClosedMiner<CountedItemsets>;
template class ClosedMiner<ListedItemsets>;

}  // namespace atl
