#pragma once

#include <array>
#include <cstdint>

#include "src/core/communicator.hpp"
#include "src/run/stop_reason.hpp"

namespace atl {

/// What the ranks of a job agree on before their islands go on: sums over the ranks. A signal may
/// reach any rank; everything else is said by rank 0 alone, so that its sum is what rank 0 says.
struct JobVotes {
  std::uint64_t signalled = 0;   ///< ranks that a signal has reached
  std::uint64_t reason = 0;      ///< to stop, a StopReason
  std::uint64_t checkpoint = 0;  ///< is one due?
  std::uint64_t progress = 0;    ///< is it to be shown?
  std::uint64_t next_look = 0;   ///< generation up to which islands go on by themselves

  StopReason stop_reason() const noexcept {
    if (reason != 0) return static_cast<StopReason>(reason);
    return signalled != 0 ? StopReason::signal : StopReason::none;
  }
};

/// Collective.
inline JobVotes sum_of(const JobVotes& own, Communicator& communicator) {
  std::array<std::uint64_t, 5> sums = {own.signalled, own.reason, own.checkpoint, own.progress,
                                       own.next_look};
  communicator.all_reduce_sum(sums);
  return {sums[0], sums[1], sums[2], sums[3], sums[4]};
}

}  // namespace atl
