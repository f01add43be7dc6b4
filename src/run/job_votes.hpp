#pragma once

#include <array>
#include <cstdint>

#include "src/core/communicator.hpp"
#include "src/run/stop_reason.hpp"

namespace atl {

/// What the ranks decide before islands go on (synchronous migration): sums over the ranks. A
/// signal may reach any rank. Only rank 0 sets the other fields, so their sums are its values.
struct JobVotes {
  std::uint64_t signalled = 0;   ///< ranks that a signal has reached
  std::uint64_t reason = 0;      ///< why to stop: a StopReason, or 0
  std::uint64_t checkpoint = 0;  ///< 1 if a checkpoint is due
  std::uint64_t progress = 0;    ///< 1 if progress is to be shown
  std::uint64_t next_look = 0;   ///< islands advance at most to this generation

  StopReason stop_reason() const noexcept {
    if (reason != 0) return static_cast<StopReason>(reason);
    return signalled != 0 ? StopReason::signal : StopReason::none;
  }
};

/// Adds up the votes of all ranks. Collective.
inline JobVotes sum_of(const JobVotes& own, Communicator& communicator) {
  std::array<std::uint64_t, 5> sums = {own.signalled, own.reason, own.checkpoint, own.progress,
                                       own.next_look};
  communicator.all_reduce_sum(sums);
  return {sums[0], sums[1], sums[2], sums[3], sums[4]};
}

}  // namespace atl
