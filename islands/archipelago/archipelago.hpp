// The islands of one rank and their exchange with those of the others.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "islands/archipelago/island.hpp"
#include "islands/archipelago/migration.hpp"
#include "islands/archipelago/partial_state.hpp"
#include "islands/archipelago/search.hpp"
#include "src/config/experiment.hpp"
#include "src/core/busy_seconds.hpp"
#include "src/core/communicator.hpp"
#include "src/core/reducer.hpp"
#include "src/core/run_state.hpp"
#include "src/core/thread_pool.hpp"

namespace atl {

/// The figures of a progress line, on this rank's islands only.
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
/// are, and the search what they look for.
///
/// Synchronous migration: after a generation at which migration is due, an island sends, waits for
/// what those send that it takes from, and for nobody else; nothing that is computed depends on the
/// number of ranks or threads. Asynchronous migration: it sends and takes in what has come by then.
///
/// Clocks are read for PhaseTimes alone. Arguments must outlive it. The destructor requests a stop
/// and waits for it.
class Archipelago {
 public:
  /// @throws UsageError if there are more ranks than islands, or the experiment names an unknown
  ///         measure or topology
  /// @param dataset  for the headers of states
  /// @param pool     may be the pool that the search's device uses
  /// @param communicator  of the ranks that islands are shared out to
  /// @param team  of the ranks that have the same islands as this one, each among others of its
  ///              own to exchange them with; null: there are none. Synchronous migration
  Archipelago(const Experiment& experiment, Search& search, const Fingerprint& dataset,
              ThreadPool& pool, Communicator& communicator, Reducer* team = nullptr);
  ~Archipelago();

  /// Checks a state without restoring it. Not collective.
  /// @param state  with the sections of this rank's islands at least
  /// @throws BadBytes if the state is not of this experiment, or if its counts contradict the data
  void expect_restorable(const RunState& state) const;
  /// Call this before anything else, instead of advancing to generation 0. The results of all
  /// ranks' states are those of the run. Not collective.
  /// @param state  as above
  /// @throws BadBytes if the state is not of this experiment
  void restore(const RunState& state);

  /// All islands go on to a generation. Blocks for the islands of other ranks, so these have to go
  /// on, too. At first to generation 0, which derives and evaluates the first populations and
  /// blocks for the team alone. Then synchronous migration.
  /// @pre last > generation(), but for the first
  /// @throws what an island threw
  void advance(std::uint32_t last);
  /// Starts islands like advance(), or asynchronously until they are told to stop, but returns at
  /// once where others may have to be waited for: call poll() and wait() until stopped(), then
  /// stop(). Islands use as many threads as pool.threads(): the pool's own and one that this
  /// creates. Until stop() has returned only what follows may be called, and generation() and
  /// progress(). Not collective.
  void start(std::uint32_t last);
  /// Sends to other ranks what islands have handed over, and receives. Call it often. Not
  /// collective.
  void poll();
  void wait();                    ///< a moment, until poll() has something to do, perhaps
  bool stopped() const noexcept;  ///< have all come to the generation, or failed?
  /// Asks islands to begin no other generation. Does not wait. With synchronous migration islands
  /// that expect others are left as they are: for a job that fails. Not collective.
  void request_stop() noexcept;
  /// Requests the stop and waits until every island has ended its generation. Not collective.
  /// @throws what an island threw
  void stop();
  /// Receives all individuals still under way, so that part() includes them. Asynchronous
  /// migration. Collective.
  /// @pre all have stopped
  void drain();
  /// Keeps, from now on, what became of immigrants until it is taken. Synchronous migration; not
  /// collective.
  void keep_moves() noexcept;
  /// Takes what became of immigrants of this rank's islands, by generation.
  std::vector<MigrationMoves> take_moves();

  /// The last generation that all islands of this rank have completed; not collective.
  std::uint32_t generation() const noexcept;
  Progress progress() const;  ///< not collective
  /// Copies of what this rank has. Rows of history that were handed out before, or restored, are
  /// left out. Not collective.
  PartialState part();
  /// The findings of all ranks, on rank 0, until the islands go on. Null elsewhere. Collective.
  const Results* merged_results();
  /// The same as a state with the sections of results and of history, the latter with the last rows
  /// alone. Nothing elsewhere. Collective. @param merged  merged_results()
  std::optional<RunState> found(const Results* merged);
  /// The whole state on rank 0 at once, whatever was handed out before, for tests. Collective.
  std::optional<RunState> whole_state();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace atl
