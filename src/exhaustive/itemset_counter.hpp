// Counts frequent itemsets on a device; on the cores itemsets.hpp does.
#pragma once

#include <cstdint>
#include <vector>

#include "src/exhaustive/itemset_output.hpp"

namespace atl {

/// What a search found and did.
struct ItemsetCounts {
  std::vector<std::uint64_t> sets;  ///< by length, as count_itemsets() gives them
  double seconds = 0;               ///< of the search, from data in place to sets by length
  std::uint64_t nodes = 0;          ///< sets whose extensions were looked for one by one
  std::uint64_t entries = 0;        ///< of tables of sets, whose extensions were counted together
  std::uint64_t words = 0;          ///< of 32 transactions, whose ones were counted
};

/// Of transactions that outlive it. One thread at a time may use it.
class ItemsetCounter {
 public:
  virtual ~ItemsetCounter() = default;
  /// Puts what a search needs in place. Blocking.
  /// @throws BackendUnavailable where the memory does not suffice
  virtual void prepare(const ItemsetLimits& limits) = 0;
  /// Begins the search that was prepared.
  virtual void start() = 0;
  /// Is the search done, or has it failed? Does not block.
  virtual bool ready() const = 0;
  /// Blocks until the search is done. @throws DeviceFailed
  virtual void finish() = 0;
  virtual ItemsetCounts read() = 0;
};

}  // namespace atl
