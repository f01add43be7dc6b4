#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "src/exhaustive/bit_columns.hpp"
#include "src/exhaustive/ranked_rows.hpp"
#include "src/exhaustive/search_branch.hpp"

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
  void count_with(const RankedRows& rows, const RowIndex& index, Level& level, std::uint32_t item);
  void keep_frequent(const RankedRows& rows, Level& level, Prefix& grown);
  void clear_counts(const RankedRows& rows, const RowIndex& index, std::uint32_t item);
  void mine_single(const RankedRows& rows, const Prefix& prefix);
  void project(const RankedRows& rows, const RowIndex& index, Level& level, std::uint32_t item);

  ItemsetLimits limits_;
  Output& output_;
  ColumnMemory memory_;
  std::vector<std::unique_ptr<Level>> levels_;
  std::vector<std::uint32_t> counts_;    // [ranks] with the item at hand; else 0
  std::vector<std::uint32_t> new_rank_;  // [ranks] of the items kept; else none
};

}  // namespace atl
