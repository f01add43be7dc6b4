// Frequent itemsets by length, as the level-wise search finds them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "src/data/transactions/itemset_sink.hpp"
#include "src/exhaustive/itemsets/itemset_output.hpp"

namespace atl {

/// The sets of one length in their order. Each is a set of the level above, its parent, and one
/// item more, which is more frequent; the children of a set follow each other.
struct ItemsetLevel {
  std::vector<std::uint32_t> ranks;        ///< [sets] of the last item
  std::vector<std::uint32_t> supports;     ///< [sets]
  std::vector<std::uint32_t> first_child;  ///< [sets + 1] in the next level, if there is one

  std::uint32_t sets() const noexcept { return static_cast<std::uint32_t>(ranks.size()); }
};

/// All frequent sets: 12 bytes each.
class ItemsetLevels {
 public:
  static constexpr std::uint64_t bytes_of_set = 12;
  static constexpr std::uint32_t most_sets = ~std::uint32_t{0} - 1;  ///< of a level

  /// @param names  [items] by rank, what a sink calls them
  explicit ItemsetLevels(std::vector<std::uint32_t> names) : names_(std::move(names)) {}

  /// [longest length + 1] numbers of sets by length, as count_itemsets() gives them.
  std::vector<std::uint64_t> by_length(const ItemsetLimits& limits) const;
  /// The sets in the order of list_itemsets(). @throws whatever the sink throws
  void hand_over(const ItemsetLimits& limits, ItemsetSink& sink) const;

  std::vector<ItemsetLevel> levels;  ///< [longest length] sets of 1 item, of 2, ...

 private:
  std::vector<std::uint32_t> names_;
};

}  // namespace atl
