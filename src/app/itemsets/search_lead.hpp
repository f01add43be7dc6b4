#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "src/app/itemsets/rank_search.hpp"
#include "src/app/itemsets/search_ledger.hpp"
#include "src/core/communicator.hpp"
#include "src/exhaustive/itemsets/itemset_tally.hpp"

namespace atl {

/// What is due in a search that goes on.
enum class Due { nothing, checkpoint, stop, end };

struct LeadView {
  bool signalled;                     ///< some other rank was told to stop
  std::function<bool()> own_is_done;  ///< has this rank come to the end of its run?
  /// Of the outermost loop, about, if that is known; not to be asked often.
  std::function<std::optional<std::uint64_t>()> items_left;
};

struct LeadSteps {
  /// Asked now and then. `end`: what is left is not needed any more.
  std::function<Due(const LeadView&)> due;
  /// A checkpoint is due, or the last one before the stop, and no rank searches.
  std::function<void()> save;
  bool may_stop = true;  ///< `due` may say that a checkpoint is due, or the stop
};

/// What all ranks have found so far.
struct FoundSets {
  ItemsetTally tally;      ///< counted
  std::uint64_t sets = 0;  ///< listed
};

/// Leads a search from rank 0, which searches, too: hands runs of the ledger to ranks that have
/// none, and takes what they find. A rank whose cores have long been at its run hands back what it
/// has left if others have nothing. Either all ranks have devices or none has. Blocking. Runs until
/// the ledger is done or the search is to stop or end, tells the others, and returns the status
/// that they get.
/// @throws what has failed here, once the others know; who else has failed throws that itself
ExitStatus lead_search(RankSearch& search, SearchLedger& ledger, FoundSets& found,
                       const LeadSteps& steps, Communicator& communicator);

}  // namespace atl
