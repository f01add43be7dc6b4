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
  double device_seconds = 0;  ///< for which the search's device had work
  std::uint64_t devices = 0;  ///< of which these are the sum
};

/// The islands of a rank live side by side on its threads; Placement says which they are. What they
/// search by is the search's affair. Nothing that is computed depends on the number of ranks or
/// threads, and no clock is read but for PhaseTimes. Arguments must outlive it.
class Archipelago {
 public:
  /// @throws UsageError if there are more ranks than islands, or the experiment names an unknown
  ///         algorithm, measure or topology
  /// @param dataset  of the state's header
  /// @param pool  may be that of the search's device
  Archipelago(const Experiment& experiment, Search& search, const Fingerprint& dataset,
              ThreadPool& pool, Communicator& communicator);
  ~Archipelago();

  /// Generation 0: derives and evaluates the first populations. Not collective.
  void initialise();
  /// @throws BadBytes if the state is not of this experiment, or claims what the data deny. Not
  ///         collective.
  void expect_restorable(const RunState& state) const;
  /// Goes on from a state instead; every rank passes the whole of it. Collective.
  /// @throws BadBytes if the state is not of this experiment
  void restore(const RunState& state);
  /// Synchronous migration: every island of this rank goes on to a generation, or to the next
  /// migration if that comes first. Not collective.
  /// @pre last > generation()
  void advance(std::uint32_t last);
  /// Ends the generation: migration if it is due. Collective.
  /// @return moves to islands of this rank, by destination, source and the source's order; nothing
  ///         if none was due
  std::optional<std::vector<Move>> exchange();

  /// Asynchronous migration: the islands of this rank go on, each by itself, to a generation or
  /// until they are told to stop. They use the pool's threads and one more. Each island sends when
  /// migration is due and takes what has come by then. Returns at once. Until stop() has returned
  /// only poll(), stopped(), request_stop(), generation() and progress() may be called. Not
  /// collective.
  void start(std::uint32_t last);
  /// Hands over what islands send to other ranks; to be called often. Not collective.
  void poll();
  bool stopped() const noexcept;  ///< have all come to the generation, or failed?
  /// From now on no island begins another generation. Does not wait. Not collective.
  void request_stop() noexcept;
  /// Requests the stop and waits until every island has ended its generation. Not collective.
  /// @throws what an island threw
  void stop();
  /// Takes in what is on its way, so that gather() misses nobody. Collective. @pre all have stopped
  void drain();

  /// Last one that all islands of this rank have completed; not collective.
  std::uint32_t generation() const noexcept;
  Progress progress() const;  ///< not collective
  /// What the whole state is assembled of on rank 0 (its header's seconds, jobs and finished are
  /// the caller's to fill), nothing elsewhere. History rows that were gathered before, or
  /// restored, are left out. Collective.
  std::optional<PartialState> gather();
  /// The whole state on rank 0 at once, whatever was gathered before, for tests. Collective.
  std::optional<RunState> whole_state();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace atl
