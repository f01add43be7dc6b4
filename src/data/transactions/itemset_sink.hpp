// Where the miner of frequent itemsets hands over what it finds, set by set.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace atl {

/// Subsets of up to 8 items that are frequent together with the current prefix.
struct ItemsetBlock {
  static constexpr std::uint32_t most_items = 8;

  std::span<const std::uint32_t> items;   ///< from the last in the sets' order to the first
  std::array<std::uint64_t, 4> frequent;  ///< bit m: the set of items whose bits m has; never bit 0
  const std::uint32_t* supports;          ///< [2^items] by m; set where `frequent` has its bit
};

/// Gets the frequent sets in their order: all sets that begin with the items that were added and
/// not removed since, see list_itemsets().
class ItemsetSink {
 public:
  virtual ~ItemsetSink() = default;
  /// The prefix, empty at first, has one item more.
  virtual void add(std::uint32_t item) = 0;
  /// The prefix loses its last item.
  virtual void remove() = 0;
  /// The prefix is a set to list.
  virtual void found(std::uint32_t support) = 0;
  /// The prefix joined to each set of the block is a set to list; ascending by m.
  virtual void found(const ItemsetBlock& block) = 0;
};

/// Makes text of the sets. Each thread of a search has its own, for one part of the list after
/// another.
class ItemsetText : public ItemsetSink {
 public:
  /// Writes what is left. @return the number of sets since the last call
  virtual std::uint64_t finish() = 0;
};

}  // namespace atl
