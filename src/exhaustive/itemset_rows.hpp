#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "src/exhaustive/bit_columns.hpp"
#include "src/exhaustive/ranked_rows.hpp"

namespace atl {

/// Frequent itemsets from lists of items, until these are dense enough for bit columns.
template <typename Output>
class RowMiner {
 public:
  RowMiner(const ItemsetLimits& limits, Output& output) : limits_(limits), output_(output) {}

  /// All frequent sets that the prefix, itself apart, grows to by items of the rows.
  /// @pre no item of the rows is a perfect extension of the prefix, unless sets are listed
  void mine(const RankedRows& rows, const Prefix& prefix);

 private:
  /// Where each item is, and the rows that grow from one item; of one depth of the recursion.
  struct Level {
    struct Row {
      std::uint32_t start, weight;
    };
    std::vector<std::uint32_t> first;     // [ranks + 2] into the rows that have each item
    std::vector<Row> row;                 // [entries]
    std::vector<std::uint32_t> frequent;  // ranks
    RankedRows below;
  };

  void mine_each(const RankedRows& rows, const Prefix& prefix, std::size_t depth);
  void index(const RankedRows& rows, Level& level);
  void count_with(const RankedRows& rows, Level& level, std::uint32_t item);
  void keep_frequent(const RankedRows& rows, Level& level, Prefix& grown);
  void clear_counts(const RankedRows& rows, const Level& level, std::uint32_t item);
  void mine_single(const RankedRows& rows, const Prefix& prefix);
  void project(const RankedRows& rows, Level& level, std::uint32_t item);

  ItemsetLimits limits_;
  Output& output_;
  ColumnMemory memory_;
  std::vector<std::unique_ptr<Level>> levels_;
  std::vector<std::uint32_t> counts_;    // [ranks] with the item at hand; else 0
  std::vector<std::uint32_t> new_rank_;  // [ranks] of the items kept; else none
};

}  // namespace atl
