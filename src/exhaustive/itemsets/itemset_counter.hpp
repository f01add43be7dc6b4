// Counts frequent itemsets on a device; on the cores itemsets.hpp does.
#pragma once

#include <cstdint>
#include <vector>

#include "src/exhaustive/itemsets/itemset_output.hpp"
#include "src/exhaustive/itemsets/itemset_tally.hpp"

namespace atl {

/// What a search found and did.
struct ItemsetCounts {
  std::vector<std::uint64_t> sets;  ///< by length, as count_itemsets() gives them
  ItemsetTally tally;               ///< the same, before they are added up
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
  /// Likewise, of a part of the sets: those whose rarest item has a rank in [first, end), where the
  /// items that all transactions have do not count; with rank 0 also those of such items alone.
  virtual void start_part(std::uint32_t first, std::uint32_t end) = 0;
  /// Has the search end soon. What it has counted by then is of no use.
  virtual void cancel() = 0;
  /// Is the search done, or has it failed? Does not block.
  virtual bool ready() const = 0;
  /// Blocks until the search is done. @throws DeviceFailed
  virtual void finish() = 0;
  virtual ItemsetCounts read() = 0;
};

}  // namespace atl
