#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "src/core/communicator.hpp"
#include "src/work/ledger.hpp"
#include "src/work/task.hpp"

namespace atl {

/// What is due while a round is worked on.
enum class Due { nothing, checkpoint, stop };

struct LeadView {
  bool signalled;  ///< some other rank was told to stop
  /// About how much work of the round is left, if that is known; not to be asked often.
  std::function<std::optional<std::uint64_t>()> amount_left;
};

struct LeadSteps {
  /// Asked now and then.
  std::function<Due(const LeadView&)> due;
  /// A checkpoint is due, or the last one before the stop, and the ledger holds all that is left.
  std::function<void()> save;
  /// A round has begun on this rank: the ledger gets its pieces.
  std::function<void()> round_begins;
  /// @return news of the next round; none: there is none
  std::function<std::optional<Bytes>()> next_round;
  bool may_stop = true;  ///< `due` may say that a checkpoint is due, or the stop
};

/// Where the work is.
struct Round {
  std::uint32_t number = 0;
  Bytes news;
};

/// Rank 0's part: shares the pieces of the ledger among the ranks, itself one of them, round after
/// round. A rank that has nothing to do gets a part of what the one that has worked longest has
/// left. begin() of the task is called on all ranks, for this round, too.
/// @param round  to begin with; the one at hand when it returns
/// @return done, or stopped
/// @throws what the steps and the task throw, once no rank works any more
ExitStatus lead_task(Task& task, Worker& worker, Ledger& ledger, Round& round,
                     const LeadSteps& steps);

/// The part of every other rank: works on what rank 0 hands out, until that says that all is over.
/// @param signals  asked now and then: how many signals to stop have come to this process?
/// @return the status of the job
/// @throws what has failed here, once rank 0 knows
ExitStatus help_task(Task& task, Worker& worker, const std::function<int()>& signals);

}  // namespace atl
