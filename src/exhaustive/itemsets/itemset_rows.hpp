#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "src/exhaustive/itemsets/bit_columns.hpp"
#include "src/exhaustive/itemsets/ranked_rows.hpp"
#include "src/exhaustive/itemsets/row_steps.hpp"
#include "src/exhaustive/itemsets/search_branch.hpp"

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
  /// Of one depth of the recursion: where each item is, and the rows that grow from one item.
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

}  // namespace atl
