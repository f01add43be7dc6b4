#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/exhaustive/levels/item_bitmaps.hpp"
#include "src/exhaustive/levels/path_rows.hpp"

namespace atl {

/// Counts the transactions that have all items of a set, of one set after the other. It is fastest
/// where sets begin with the same items as the one before.
class ItemsetSupports {
 public:
  /// @param min_count  transactions that each item to come is in, at least
  ItemsetSupports(const TransactionSet& transactions, std::uint64_t min_count);

  /// @param set  items, not empty
  std::uint64_t of(std::span<const std::uint32_t> set);

 private:
  ItemBitmaps bitmaps_;
  std::vector<std::uint32_t> ranks_;  // [items of the transactions], set where an item is frequent
  PathRows rows_;
  std::vector<std::uint32_t> path_;
};

}  // namespace atl
