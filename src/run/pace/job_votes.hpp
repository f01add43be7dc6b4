#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "src/core/communicator.hpp"
#include "src/work/stop_reason.hpp"

namespace atl {

/// What the ranks decide at a look (synchronous migration): sums over the ranks. Any rank may fail,
/// and a signal may reach any. Only rank 0 sets the other fields, so their sums are its values.
struct JobVotes {
  std::uint64_t failed = 0;      ///< ranks that have
  std::uint64_t signalled = 0;   ///< ranks that a signal has reached
  std::uint64_t reason = 0;      ///< why to stop: a StopReason, or 0
  std::uint64_t checkpoint = 0;  ///< 1 if a checkpoint is due
  std::uint64_t next_look = 0;   ///< generation of the look after

  StopReason stop_reason() const noexcept {
    if (reason != 0) return static_cast<StopReason>(reason);
    return signalled != 0 ? StopReason::signal : StopReason::none;
  }
};

/// As Communicator::begin_sum and poll_sum.
inline void begin_sum(const JobVotes& own, Communicator& communicator) {
  communicator.begin_sum({own.failed, own.signalled, own.reason, own.checkpoint, own.next_look});
}
inline std::optional<JobVotes> poll_sum(Communicator& communicator) {
  const auto sums = communicator.poll_sum();
  if (!sums) return std::nullopt;
  return JobVotes{(*sums)[0], (*sums)[1], (*sums)[2], (*sums)[3], (*sums)[4]};
}

}  // namespace atl
