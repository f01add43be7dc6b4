// The islands of one rank and their exchange with those of the others.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "islands/migrant.hpp"
#include "islands/partial_state.hpp"
#include "islands/phase_times.hpp"
#include "islands/search.hpp"
#include "src/config/experiment.hpp"
#include "src/core/busy_seconds.hpp"
#include "src/core/communicator.hpp"
#include "src/core/run_state.hpp"
#include "src/core/thread_pool.hpp"

namespace atl {

/// What a progress line shows; of this rank's islands only.
struct Progress {
  std::uint32_t generation = 0;
  std::uint64_t evaluated = 0;  ///< rules, since the start of the job
  std::size_t archived = 0;     ///< results
  std::vector<double> best;     ///< of each of all_maximized(), among the results
  PhaseTimes times;
  BusySeconds device_seconds;  ///< in which devices had work, summed over `devices`
  std::uint64_t devices = 0;   ///< in that sum
};

/// Runs the islands of a rank side by side on the pool's threads. Placement says which islands they
/// are, and the search what they look for. With synchronous migration nothing that is computed
/// depends on the number of ranks or threads. Clocks are read for PhaseTimes alone. Arguments must
/// outlive it. The destructor requests a stop and waits for it.
class Archipelago {
 public:
  /// @throws UsageError if there are more ranks than islands, or the experiment names an unknown
  ///         measure or topology
  /// @param dataset  for the headers of states
  /// @param pool     may be the pool that the search's device uses
  Archipelago(const Experiment& experiment, Search& search, const Fingerprint& dataset,
              ThreadPool& pool, Communicator& communicator);
  ~Archipelago();

  /// Generation 0: derives and evaluates the first populations. Not collective.
  void initialise();
  /// Not collective.
  /// @throws BadBytes if the state is not of this experiment, or if its counts contradict the data
  void expect_restorable(const RunState& state) const;
  /// Call this instead of initialise(), before anything else. Every rank passes the whole state.
  /// Not collective.
  /// @throws BadBytes if the state is not of this experiment
  void restore(const RunState& state);
  /// Synchronous migration: every island of this rank goes on to a generation, or to the next
  /// migration if that comes first. Not collective.
  /// @pre last > generation()
  void advance(std::uint32_t last);
  /// Ends the generation: migration if it is due. Collective.
  /// @return the moves to this rank's islands, ordered by destination, then source, then as sent;
  ///         nothing if no migration was due
  std::optional<std::vector<Move>> exchange();

  /// Asynchronous migration: the islands of this rank go on, each by itself, to a generation or
  /// until they are told to stop. They use as many threads as pool.threads(): the pool's own and
  /// one that start() creates. Each island sends when migration is due and takes what has come by
  /// then. Returns at once. Until stop() has returned only poll(), stopped(), request_stop(),
  /// generation() and progress() may be called. Not collective.
  void start(std::uint32_t last);
  /// Sends to other ranks what islands have handed over, and receives. Call it often. Not
  /// collective.
  void poll();
  bool stopped() const noexcept;  ///< have all come to the generation, or failed?
  /// From now on no island begins another generation. Does not wait. Not collective.
  void request_stop() noexcept;
  /// Requests the stop and waits until every island has ended its generation. Not collective.
  /// @throws what an island threw
  void stop();
  /// Receives all individuals still under way, so that gather() includes them. Collective.
  /// @pre all have stopped
  void drain();

  /// Last one that all islands of this rank have completed; not collective.
  std::uint32_t generation() const noexcept;
  Progress progress() const;  ///< not collective
  /// On rank 0 returns the parts of the whole state, on others nothing. The caller fills in the
  /// header's seconds, jobs and finished. History rows that were gathered before, or restored, are
  /// left out. Collective.
  std::optional<PartialState> gather();
  /// The whole state on rank 0 at once, whatever was gathered before, for tests. Collective.
  std::optional<RunState> whole_state();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace atl
