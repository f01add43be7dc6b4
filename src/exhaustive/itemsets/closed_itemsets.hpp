// Closed itemsets, which no item extends without losing transactions, and maximal ones, which no
// item extends to a frequent set. The search keeps none of those that it found: whether a set is
// one of them is seen from the items that it has not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "src/exhaustive/itemsets/bit_columns.hpp"
#include "src/exhaustive/itemsets/row_steps.hpp"
#include "src/exhaustive/itemsets/search_branch.hpp"

namespace atl {

/// Closed or maximal sets that grow from branches.
template <typename Output>
class ClosedMiner {
 public:
  /// @pre limits.family is not all
  ClosedMiner(const ItemsetLimits& limits, Output& output) : limits_(limits), output_(output) {}

  /// Those of the branch, whose node's rows have an index or are columns. No item of the node is a
  /// perfect extension of the prefix.
  void mine(const Branch& branch);

 private:
  /// Of one depth of the recursion.
  struct Level {
    RowIndex index;
    std::vector<std::uint32_t> frequent;  // ranks
    std::vector<std::uint32_t> perfect;   // names
    RankedRows below;
  };

  void mine_each(OpenLoop& loop, const RowIndex& index, std::size_t depth);
  void mine_item(OpenLoop& loop, const RowIndex& index, std::uint32_t item, std::size_t depth);
  void mine_below(Level& level, const Prefix& grown, std::size_t before, std::size_t depth);
  Level& level_at(std::size_t depth);

  ItemsetLimits limits_;
  Output& output_;
  ColumnMemory memory_;
  RowSteps<RowPart::whole> steps_;
  std::vector<std::unique_ptr<Level>> levels_;
};

/// Tells a set to what counts or lists.
inline void found(CountedItemsets& output, const Prefix& set) {
  output.tally.add(0, set.length, 1);
}
inline void found(ListedItemsets& output, const Prefix& set) {
  output.found(set.length, set.support);
}

/// Closed or maximal sets that grow from a loop over columns, of which it may leave out the last:
/// these only tell whether a set is one of them. Runs the best code that the processor has.
void mine_closed_columns(OpenLoop& loop, const ItemsetLimits& limits, ColumnMemory& memory,
                         CountedItemsets& output);
void mine_closed_columns(OpenLoop& loop, const ItemsetLimits& limits, ColumnMemory& memory,
                         ListedItemsets& output);

}  // namespace atl
