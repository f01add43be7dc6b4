// What searches in lists of items have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/exhaustive/itemsets/ranked_rows.hpp"
#include "src/exhaustive/itemsets/search_branch.hpp"

namespace atl {

/// What a search looks at of a row that has the item at hand: the items before this one, or all of
/// them, for which the index has to tell where rows end.
enum class RowPart { before_item, whole };

/// One step of the search: counts the items in the rows of one item, and makes lists of those rows.
template <RowPart part>
class RowSteps {
 public:
  /// @param ranks  items of all rows that follow, at most
  void make_room(std::size_t ranks);

  /// Counts the items in the rows of this one.
  /// @param frequent  overwritten with the ranks of those in `min_count` transactions or more
  void count_with(const RankedRows& rows, const RowIndex& index, std::uint32_t item,
                  std::uint64_t min_count, std::vector<std::uint32_t>& frequent);
  /// Transactions with the item of this rank and with the one at hand.
  std::uint32_t count(std::uint32_t rank) const noexcept { return counts_[rank]; }
  /// Ends the use of what count_with() counted. Comes before the next item.
  void clear_counts(const RankedRows& rows, const RowIndex& index, std::uint32_t item);

  /// Makes the rows of the item, of the items that are kept.
  /// @param kept   ranks
  /// @param below  has their names and supports, and gets the rows
  void project(const RankedRows& rows, const RowIndex& index, std::uint32_t item,
               const std::vector<std::uint32_t>& kept, RankedRows& below);

 private:
  template <typename Use>
  static void for_each_rank(const RankedRows& rows, const RowIndex& index, std::uint32_t item,
                            std::uint32_t k, const Use& use);
  static std::uint32_t ranks_counted(const RankedRows& rows, std::uint32_t item) noexcept;

  std::vector<std::uint32_t> counts_;    // [ranks] with the item at hand; else 0
  std::vector<std::uint32_t> new_rank_;  // [ranks] of the items kept; else none
};

}  // namespace atl
