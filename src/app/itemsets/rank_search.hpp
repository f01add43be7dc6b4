#pragma once

#include <functional>

#include "io/transactions/itemset_writer.hpp"
#include "src/app/itemset_memory.hpp"
#include "src/app/itemsets/search_ledger.hpp"
#include "src/app/itemsets/search_task.hpp"
#include "src/core/communicator.hpp"
#include "src/data/transaction_set.hpp"
#include "src/exhaustive/parted_search.hpp"

namespace atl {

/// What a rank searches with.
class RankSearch {
 public:
  /// All must outlive it.
  RankSearch(const TransactionSet& transactions, const ItemsetLimits& limits, bool lists,
             ThreadPool& pool, const MemoryLimit& memory)
      : transactions_(transactions),
        lists_(lists),
        memory_(memory),
        search_(transactions, limits, lists, pool) {}

  /// All of it, for one rank or to be cut for more.
  SearchRange whole(int ranks) {
    if (ranks == 1) return search_.whole();
    return search_within(memory_, [&] { return search_.loop(); });
  }
  /// As PartedSearch has it.
  std::uint64_t items_left() { return search_.items_left(); }
  /// Blocking. @param write  takes the text that stands first in the run, in order
  /// @throws UsageError if memory is refused, and what write() throws
  SearchFindings search(const SearchRun& run, const WriteText& write, const std::stop_token& stop);

 private:
  const TransactionSet& transactions_;
  bool lists_;
  const MemoryLimit& memory_;
  PartedSearch search_;
};

/// Searches what rank 0 hands out, until that says that the search is over. Of every rank but 0.
/// @param stops  asked now and then: how many signals to stop have come to this process?
/// @return the status of the job
/// @throws what has failed here, once rank 0 knows
ExitStatus help_search(RankSearch& search, Communicator& communicator,
                       const std::function<int()>& signals);

}  // namespace atl
