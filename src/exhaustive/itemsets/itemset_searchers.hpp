// Searchers of branches for itemsets, each on one thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "src/data/transactions/transaction_set.hpp"
#include "src/exhaustive/itemsets/bit_columns.hpp"
#include "src/exhaustive/itemsets/closed_itemsets.hpp"
#include "src/exhaustive/itemsets/itemset_output.hpp"
#include "src/exhaustive/itemsets/ranked_rows.hpp"
#include "src/exhaustive/itemsets/row_steps.hpp"
#include "src/exhaustive/itemsets/search_branch.hpp"
#include "src/exhaustive/itemsets/shared_search.hpp"

namespace atl {

/// Frequent itemsets from lists of items, until these are dense enough for bit columns.
template <typename Output>
class RowMiner {
 public:
  RowMiner(const ItemsetLimits& limits, Output& output) : limits_(limits), output_(output) {}

  /// All frequent sets of the branch. One whose rows are dense must be whole.
  /// @pre no item of the node is a perfect extension of the prefix, unless sets are listed
  void mine(const Branch& branch);

 private:
  /// Memory of one depth of the recursion: where each item is, and the rows that grow from one
  /// item.
  struct Level {
    RowIndex index;
    std::vector<std::uint32_t> frequent;  // ranks
    RankedRows below;
  };

  void mine_below(const RankedRows& rows, const Prefix& prefix, std::size_t depth);
  void mine_each(OpenLoop& loop, const RowIndex& index, std::size_t depth);
  void mine_dense(const RankedRows& rows, const Prefix& prefix);
  Level& level_at(std::size_t depth);
  void keep_frequent(const RankedRows& rows, Level& level, Prefix& grown);
  void mine_single(const RankedRows& rows, const Prefix& prefix);

  ItemsetLimits limits_;
  Output& output_;
  ColumnMemory memory_;
  RowSteps<RowPart::before_item> steps_;
  std::vector<std::unique_ptr<Level>> levels_;
};

/// The whole search.
/// @param lists  sets are listed, not counted
Branch whole_search(const TransactionSet& transactions, const ItemsetLimits& limits, bool lists);

/// Its outermost loop, without a node if it has none.
Branch root_loop(const Branch& whole, const ItemsetLimits& limits, bool lists);

template <typename Output>
struct Miners {
  RowMiner<Output> of_all;
  ClosedMiner<Output> of_closed;
  bool all;

  Miners(const ItemsetLimits& limits, Output& output)
      : of_all(limits, output),
        of_closed(limits, output),
        all(limits.family == ItemsetFamily::all) {}
  void mine(const Branch& branch) { all ? of_all.mine(branch) : of_closed.mine(branch); }
};

/// Hands the sets of the branch to the sink of the output.
void list_branch(const Branch& branch, ItemsetSink& sink, ListedItemsets& output,
                 Miners<ListedItemsets>& miners);

class ItemsetCountSearcher final : public SharedSearch::Searcher {
 public:
  /// @param tally  gets the sets
  ItemsetCountSearcher(const ItemsetLimits& limits, ItemsetTally& tally, SearchTrail* trail)
      : tally_(tally), output_{tally, trail}, miners_(limits, output_) {}
  void search(const Branch& branch) override;
  void arrive() override { tally_ = {}; }

 private:
  ItemsetTally& tally_;
  CountedItemsets output_;
  Miners<CountedItemsets> miners_;
};

class ItemsetListSearcher final : public SharedSearch::Searcher {
 public:
  /// @param sets  gets the number of sets added
  ItemsetListSearcher(const ItemsetLimits& limits, std::unique_ptr<ItemsetText> text,
                      SearchTrail* trail, std::atomic<std::uint64_t>& sets)
      : text_(std::move(text)),
        output_{*text_, limits, trail},
        miners_(limits, output_),
        min_length_(limits.min_length),
        sets_(sets) {}
  void search(const Branch& branch) override;
  void arrive() override { output_.limits.min_length = min_length_; }

 private:
  std::unique_ptr<ItemsetText> text_;
  ListedItemsets output_;
  Miners<ListedItemsets> miners_;
  std::uint32_t min_length_;
  std::atomic<std::uint64_t>& sets_;
};

}  // namespace atl
