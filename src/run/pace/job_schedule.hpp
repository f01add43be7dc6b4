// When the ranks of a job look, and what is due then.
#pragma once

#include <chrono>
#include <cstdint>

#include "islands/archipelago/archipelago.hpp"
#include "src/core/stopwatch.hpp"
#include "src/results/archive/gains.hpp"
#include "src/run/job_settings.hpp"
#include "src/work/job_limits.hpp"

namespace atl {

/// How far a job's islands go on by themselves before it looks again whether to stop, to save or to
/// show something: about 0.2 s. Results do not depend on it.
class PollingInterval {
 public:
  using Clock = std::chrono::steady_clock;

  /// The islands go on from this generation now.
  void go_on(std::uint32_t generation, Clock::time_point now = Clock::now()) noexcept {
    generation_ = generation;
    time_ = now;
    begun_ = true;
  }
  /// Generations from the one that they have come to until the next look, at least 1. Later ones
  /// may take longer, so it takes several looks to get far.
  /// @param seconds_left  until something is due by the clock
  std::uint64_t next(std::uint32_t generation, double seconds_left,
                     Clock::time_point now = Clock::now()) const noexcept;

 private:
  bool begun_ = false;
  std::uint32_t generation_ = 0;
  Clock::time_point time_;
};

/// The point that a job goes on from.
struct StartingPoint {
  std::uint32_t job = 1;             ///< its number in the run
  std::uint32_t generation = 0;      ///< of the run
  std::uint32_t own_generation = 0;  ///< of this rank's islands, which may be further
  double seconds_mined = 0;          ///< by former jobs
  bool restored = false;             ///< from a checkpoint
  bool was_searched = false;         ///< to its end; repeats may be left
  bool was_finished = false;
};

/// The schedule of a job, by what a rank knows by itself: its clock and files. Only rank 0's
/// counts, or two clocks would have to agree.
class JobSchedule {
 public:
  using Clock = std::chrono::steady_clock;

  /// All outlive it. @param begun  before any rank began to mine: no rank's phases last longer
  JobSchedule(const JobSettings& settings, const StartingPoint& from,
              const Archipelago& archipelago, Clock::time_point begun);

  double mined_seconds() const { return from_.seconds_mined + seconds_since(begun_); }
  double seconds() const { return seconds_since(begun_); }  ///< of this job

  /// Looks for the file that tells the job to stop, but not more often than twice a second.
  /// @param at  the generation at which the islands would stop
  StopReason reason_to_stop(std::uint32_t at);
  /// @param busy  is one being written? It is not followed by another at once; but who asks for
  ///              generations gets each of them
  bool checkpoint_due(std::uint32_t generation, bool busy) const;
  void checkpoint_begins(std::uint32_t generation);
  /// The generation of the look that follows one at which a checkpoint begins, or not.
  std::uint32_t next_look(std::uint32_t at, bool saves) const;
  /// Seconds until the clock ends the job or the run; infinity if it does not.
  double seconds_left() const { return limits_.seconds_left(mined_seconds()); }
  void islands_go_on() noexcept { polling_.go_on(archipelago_.generation()); }

 private:
  const JobSettings& settings_;
  const Experiment& experiment_ = settings_.configuration.experiment;
  const std::uint32_t looks_every_ =
      generations_between_looks(static_cast<std::uint32_t>(experiment_.patience));
  const CheckpointInterval& every_ = settings_.configuration.machine.checkpoint_every;
  const StartingPoint& from_;
  const Archipelago& archipelago_;
  const Clock::time_point begun_;
  Clock::time_point last_checkpoint_ = Clock::now();
  std::uint32_t last_saved_ = from_.generation;
  LimitWatch limits_;
  PollingInterval polling_;
};

}  // namespace atl
