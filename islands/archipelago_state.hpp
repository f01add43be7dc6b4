// What the two ways of an archipelago to go on share. For archipelago*.cpp alone.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <map>
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
  double breed_seconds = 0;
  double fit_seconds = 0;
};

struct Archipelago::State {
  const Experiment& experiment;
  const IslandGrammars grammars;
  const std::map<std::uint32_t, Experiment> by_island;
  const Dataset& dataset;
  Evaluator& evaluator;
  ThreadPool& pool;
  Communicator& communicator;
  Placement placement;
  Topology topology;
  std::vector<Measure> maximize;
  Archive archive;
  std::vector<Island> islands = {};        // of this rank, ascending
  std::uint64_t evaluated_before = 0;      // by former jobs
  std::vector<std::size_t> gathered = {};  // [islands] rows of its history

  // What threads change that have islands, and others look at.
  mutable std::mutex mutex = {};
  std::vector<Reached> reached = {};  // [islands]
  PhaseTimes times = {};

  // Of asynchronous migration.
  Mailbox mailbox{grammars, placement, communicator};
  std::thread runner = {};
  std::exception_ptr failure = {};
  std::atomic<bool> stop_requested = false;  // no island begins another generation
  std::atomic<bool> stopped = true;

  void run_to(std::uint32_t last);
  /// Has islands take turns on the threads of the pool until none waits for one. Blocks.
  /// @param turn  the island, and the time that the thread has spent since it last said so
  void run_on_pool(const std::function<void(Island&, PhaseTimes&)>& turn);
  /// The batch that an island has started, to the end of its generation.
  void end_generation(Island& island, PhaseTimes& own);
  /// Breeds the next one and starts its batch: while it is evaluated others have their turns.
  void begin_generation(Island& island, PhaseTimes& own);
  void note(const Island& island);  ///< what it has reached
  /// @param from  [islands] first history row of each to gather
  std::optional<PartialState> gather(std::span<const std::size_t> from, std::uint32_t generation);
  std::vector<Move> migrate();
  bool migrates_at(std::uint32_t generation) const {
    return experiment.migrate_every > 0 && generation > 0 &&
           generation % experiment.migrate_every == 0;
  }
  void run_asynchronously(std::uint32_t last);
  void migrate(Island& island);  ///< what it sends, and what has come for it
  void take_immigrants(Island& island);
};

}  // namespace atl
