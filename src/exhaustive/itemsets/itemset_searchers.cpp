#include "src/exhaustive/itemsets/itemset_searchers.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace atl {

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
