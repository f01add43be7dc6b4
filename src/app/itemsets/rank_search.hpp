#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "io/transactions/itemset_writer.hpp"
#include "src/app/itemset_memory.hpp"
#include "src/app/itemsets/search_ledger.hpp"
#include "src/app/itemsets/search_task.hpp"
#include "src/core/communicator.hpp"
#include "src/data/transactions/transaction_set.hpp"
#include "src/exhaustive/itemsets/itemset_counter.hpp"
#include "src/exhaustive/itemsets/parted_search.hpp"

namespace atl {

/// What a rank searches with.
class RankSearch {
 public:
  /// All must outlive it.
  /// @param device  that counts what it can, the cores the rest; prepared for the limits, or null
  RankSearch(const TransactionSet& transactions, const ItemsetLimits& limits, bool lists,
             ThreadPool& pool, const MemoryLimit& memory, std::unique_ptr<ItemsetCounter> device)
      : device_(std::move(device)),
        transactions_(transactions),
        lists_(lists),
        memory_(memory),
        search_(transactions, limits, lists, pool) {}

  /// All of it, for one rank or to be cut for more.
  SearchRange whole(int ranks) {
    if (ranks == 1) return search_.whole();
    return search_within(memory_, [&] { return search_.loop(); });
  }
  /// What a device is at is done as a whole or not at all.
  bool has_device() const noexcept { return device_ != nullptr; }
  /// As PartedSearch has it.
  std::optional<std::uint64_t> items_left() { return search_.items_left(); }
  /// Blocking. @param write  takes the text that stands first in the run, in order
  /// @throws UsageError if memory is refused, and what write() throws
  SearchFindings search(const SearchRun& run, const WriteText& write, const std::stop_token& stop);

 private:
  SearchFindings count(const SearchRun& run, const std::stop_token& stop);

  std::unique_ptr<ItemsetCounter> device_;
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
