// A while in which islands do not wait for each other (asynchronous migration).
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

#include "islands/archipelago/archipelago.hpp"
#include "src/config/experiment.hpp"
#include "src/core/communicator.hpp"
#include "src/core/report.hpp"
#include "src/work/job_limits.hpp"

namespace atl {

/// Says of asynchronous migration what it gives up.
void announce_migration(const Experiment& experiment, const Report& report);

/// The duties and decisions of rank 0 meanwhile. Progress is that of all ranks, as far as it is
/// known.
struct AsynchronousPhaseControl {
  std::function<StopReason()> own_reason;
  std::function<bool(std::uint32_t generation)> checkpoint_due;
  std::function<void(const Progress&)> show;
};

/// The questions and duties of every rank meanwhile, often.
struct RankDuties {
  std::function<bool()> signalled;  ///< has this rank been told to stop?
  std::function<void()> poll;
};

struct PhaseEnd {
  StopReason reason = StopReason::none;        ///< none for a checkpoint
  std::chrono::steady_clock::time_point told;  ///< when this rank heard that islands are to stop
};

/// Islands go on until all have come to the last generation, or rank 0 has them stop: to end the
/// job, or for a checkpoint. Ranks tell rank 0 how far they are, and it tells them when to stop;
/// nobody waits for anybody until then, and then for the generation that each island is in.
/// Afterwards all islands have stopped and nothing is on its way. Collective.
/// @param control    of rank 0 alone
/// @throws on all ranks, what the first rank whose islands failed threw
PhaseEnd asynchronous_phase(Archipelago& archipelago, Communicator& communicator,
                            std::uint32_t last_generation, const RankDuties& duties,
                            const AsynchronousPhaseControl& control);

}  // namespace atl
