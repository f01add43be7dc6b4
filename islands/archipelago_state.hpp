// What the two ways of an archipelago to go on share. For archipelago*.cpp alone.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "islands/archipelago.hpp"
#include "islands/island.hpp"
#include "islands/mailbox.hpp"
#include "islands/topology.hpp"

namespace atl {

/// How far an island has come, for those who ask while it goes on.
struct Reached {
  std::optional<std::uint32_t> generation;
  std::uint64_t evaluated = 0;
};

/// An island of this rank.
struct Member {
  std::uint32_t number = 0;
  std::unique_ptr<Island> island;
  std::optional<HistoryRow> last = {};  // of the generation that it has completed
  std::vector<HistoryRow> kept = {};    // of all jobs
  HistoryBest best = {};
  std::size_t gathered = 0;  // rows that are kept
  Step step = Step::done;
  Reached reached = {};  // under the archipelago's mutex

  /// The last one that it has completed. @pre there is one
  std::uint32_t generation() const noexcept { return last->generation; }
  /// The one that it begins next. @pre it does not wait
  std::uint32_t next_generation() const noexcept { return last ? last->generation + 1 : 0; }
};

struct Archipelago::State {
  const Experiment& experiment;
  Search& search;
  const Fingerprint dataset;
  ThreadPool& pool;
  Communicator& communicator;
  Placement placement;
  Topology topology;
  HistoryThinning thinning;
  std::vector<Member> members = {};    // ascending
  std::uint64_t evaluated_before = 0;  // by former jobs

  std::unique_ptr<Results> results = {};
  // What threads change that have islands, and others look at: under this mutex, held for a few
  // assignments.
  mutable std::mutex mutex = {};
  PhaseTimes times = {};

  // Of asynchronous migration.
  Mailbox mailbox{placement, communicator};
  std::thread runner = {};
  std::exception_ptr failure = {};
  std::atomic<bool> stop_requested = false;  // no island begins another generation
  std::atomic<bool> stopped = true;

  /// What an island does after a generation, on the thread that has it.
  using AfterGeneration = std::function<void(Member&, PhaseTimes&)>;

  /// Islands go on to a generation, or until the stop is requested. Blocks.
  void run_to(std::uint32_t last, const AfterGeneration& after);
  /// Has islands take turns on the threads of the pool until none wants another. Blocks.
  /// @param turn  what the thread spends is added to the times; returns whether the island wants
  ///              another turn
  void run_on_pool(const std::function<bool(Member&, PhaseTimes&)>& turn);
  void add(const PhaseTimes& spent, std::size_t threads, double& worked);
  void advance(Member& member, const AfterGeneration& after, PhaseTimes& spent);
  void note(Member& member);  ///< what it has reached
  /// @throws BadBytes if the sections or the history are not those of this experiment
  void expect_whole(const RunState& run, const History& history) const;
  std::optional<PartialState> gather(std::uint32_t generation);
  std::vector<Move> migrate();
  bool migrates_at(std::uint32_t generation) const {
    return experiment.migrate_every > 0 && generation > 0 &&
           generation % experiment.migrate_every == 0;
  }
  void migrate(Member& member);  ///< what it sends, and what has come for it
  void take_immigrants(Member& member);
};

}  // namespace atl
