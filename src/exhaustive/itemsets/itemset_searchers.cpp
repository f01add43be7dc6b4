#include "src/exhaustive/itemsets/itemset_searchers.hpp"

#include <algorithm>
#include <utility>

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

Branch whole_search(const TransactionSet& transactions, const ItemsetLimits& limits, bool lists) {
  const std::vector<std::uint32_t>& supports = transactions.supports();
  const bool all = limits.family == ItemsetFamily::all;
  Branch branch{{}, {transactions.size()}, {}, 0, 0};
  std::size_t skipped = 0;
  if (!all || !lists) {
    const auto everywhere =
        static_cast<std::uint32_t>(std::ranges::count(supports, transactions.size()));
    skipped = everywhere;
    (all ? branch.prefix.perfect : branch.prefix.length) = everywhere;
  }
  if (!all) {
    for (std::uint32_t item = 0; item < supports.size(); ++item) {
      if (supports[item] == transactions.size()) branch.items.push_back(item);
    }
  }
  const auto node = std::make_shared<SearchNode>();
  node->rows = ranked_rows(transactions, limits.min_count, skipped);
  if (!all || !node->rows.is_dense()) node->index.set(node->rows, !all);
  branch.end = node->rows.ranks();
  branch.with_prefix =
      all ? branch.prefix.perfect > 0
          : branch.prefix.length > 0 && (limits.family == ItemsetFamily::closed || branch.end == 0);
  branch.node = node;
  return branch;
}

Branch root_loop(const Branch& whole, const ItemsetLimits& limits, bool lists) {
  RootTrail trail;
  const auto mine = [&](auto output) { Miners<decltype(output)>(limits, output).mine(whole); };
  if (lists) {
    struct Nowhere final : ItemsetSink {
      void add(std::uint32_t) override {}
      void remove() override {}
      void found(std::uint32_t) override {}
      void found(const ItemsetBlock&) override {}
    } nowhere;
    mine(ListedItemsets{nowhere, limits, &trail});
  } else {
    ItemsetTally forgotten;
    mine(CountedItemsets{forgotten, &trail});
  }
  Branch root = trail.take();
  root.items = whole.items;
  root.with_prefix = whole.with_prefix;
  return root;
}

void list_branch(const Branch& branch, ItemsetSink& sink, ListedItemsets& output,
                 Miners<ListedItemsets>& miners) {
  for (const std::uint32_t item : branch.items) sink.add(item);
  if (branch.with_prefix) found(output, branch.prefix);
  miners.mine(branch);
  for (std::size_t k = 0; k < branch.items.size(); ++k) sink.remove();
}

void ItemsetCountSearcher::search(const Branch& branch) {
  ItemsetTally before;
  if (branch.far) std::swap(before, tally_);
  // The sets of items that every transaction has; of all sets the empty one, too.
  if (branch.with_prefix) before.add(branch.prefix.perfect, branch.prefix.length, 1);
  try {
    miners_.mine(branch);
  } catch (const SearchStopped&) {
    tally_.add(before);
    throw;
  }
  tally_.add(before);
}

void ItemsetListSearcher::search(const Branch& branch) {
  if (!branch.way.empty() && branch.far) output_.limits.min_length = ~std::uint32_t{0};
  try {
    list_branch(branch, *text_, output_, miners_);
  } catch (const SearchStopped&) {
    sets_ += text_->finish();
    throw;
  }
  sets_ += text_->finish();
}

}  // namespace atl
