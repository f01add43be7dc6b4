#include "src/exhaustive/itemsets/itemset_rows.hpp"

namespace atl {

template <typename Output>
void RowMiner<Output>::mine(const Branch& branch) {
  const RankedRows& rows = branch.node->rows;
  if (branch.node->columns.words != nullptr) {
    return mine_columns(branch, limits_, memory_, output_);
  }
  if (rows.is_dense()) return mine_dense(rows, branch.prefix);
  steps_.make_room(rows.ranks());
  OpenLoop loop = loop_of(branch);
  mine_each(loop, branch.node->index, 0);
}

template <typename Output>
void RowMiner<Output>::mine_dense(const RankedRows& rows, const Prefix& prefix) {
  const StackScope scope(memory_.stack);
  mine_columns(columns_of_rows(rows, memory_.stack), prefix, limits_, memory_, output_);
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
      steps_.count_with(rows, index, item, limits_.min_count, level.frequent);
      keep_frequent(rows, level, grown);
      steps_.clear_counts(rows, index, item);
    }
    if constexpr (!Output::lists) output_.tally.add(grown.perfect, grown.length, 1);
    if (level.below.ranks() == 1) {
      mine_single(level.below, grown);
    } else if (level.below.ranks() > 1) {
      steps_.project(rows, index, item, level.frequent, level.below);
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

template <typename Output>
void RowMiner<Output>::keep_frequent(const RankedRows& rows, Level& level, Prefix& grown) {
  std::size_t kept = 0;
  for (const std::uint32_t rank : level.frequent) {
    if (!Output::lists && steps_.count(rank) == grown.support) {
      ++grown.perfect;
      continue;
    }
    level.frequent[kept++] = rank;
    level.below.supports.push_back(steps_.count(rank));
    level.below.names.push_back(rows.names[rank]);
  }
  level.frequent.resize(kept);
}

template class RowMiner<CountedItemsets>;
template class RowMiner<ListedItemsets>;

}  // namespace atl
