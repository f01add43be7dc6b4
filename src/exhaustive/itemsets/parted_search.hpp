#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

#include "src/core/thread_pool.hpp"
#include "src/exhaustive/itemsets/itemset_tally.hpp"
#include "src/exhaustive/itemsets/itemsets.hpp"
#include "src/exhaustive/itemsets/shared_search.hpp"

namespace atl {

/// A search for itemsets whose parts may be searched at different times and in different processes.
/// The parts are those of the loops that the search runs through, which depend on the transactions
/// and the limits alone. A search that is stopped says what it has left.
class PartedSearch {
 public:
  /// To be raised if loops, or the order of what is found in them, change.
  static constexpr std::uint32_t version = 1;

  /// @param transactions  at least limits.min_count; they and the pool must outlive it
  /// @param lists  sets are listed, not counted
  PartedSearch(const TransactionSet& transactions, const ItemsetLimits& limits, bool lists,
               ThreadPool& pool);

  SearchRange whole() const;
  /// The same, to be cut: with the items of the outermost loop, or 0 if there is none and the
  /// search is in one part. Takes a while, as it goes there.
  SearchRange loop();

  /// Counts the sets of parts. Blocking, on the threads of the pool.
  /// @param stop  ends it soon
  /// @return what is left
  std::vector<SearchRest> count(const std::vector<SearchRange>& parts, ItemsetTally& sum,
                                const std::stop_token& stop);
  /// Lists them. Blocking likewise. Faster by a hair on one thread if it cannot be stopped.
  /// @param parts  in the order of their sets
  /// @param sets   gets the number of sets added
  /// @return what is left, with the text of sets behind it; what is before was written
  std::vector<SearchRest> list(const std::vector<SearchRange>& parts, const MakeItemsetText& make,
                               const WriteText& write, const std::stop_token& stop,
                               std::atomic<std::uint64_t>& sets);

  /// Of a search that runs and can be stopped: about how many items of the outermost loop are left,
  /// those at hand among them. Any thread may ask, now and then.
  std::optional<std::uint64_t> items_left();

 private:
  std::vector<SearchRest> run(SharedSearch& search, const std::vector<SearchRange>& parts,
                              const std::stop_token& stop);
  const Branch& root();
  std::vector<Branch> branches_of(const std::vector<SearchRange>& parts);

  ItemsetLimits limits_;
  bool lists_;
  ThreadPool& pool_;
  Branch whole_;
  std::optional<Branch> root_;  // the outermost loop, once it was asked for
  std::mutex mutex_;
  SharedSearch* running_ = nullptr;
};

}  // namespace atl
