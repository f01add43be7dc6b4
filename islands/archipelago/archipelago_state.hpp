// The state that the two ways of an archipelago to go on share. For archipelago*.cpp alone.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "islands/archipelago/archipelago.hpp"
#include "islands/archipelago/island.hpp"
#include "islands/archipelago/mailbox.hpp"
#include "islands/archipelago/run_sections.hpp"
#include "islands/archipelago/team_sums.hpp"
#include "islands/archipelago/topology.hpp"
#include "islands/archipelago/turns.hpp"

namespace atl {

/// Tells how far an island has come, for those who ask while it goes on.
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
  std::size_t handed_out = 0;  // of those rows
  Step step = Step::done;
  bool expects = false;                    // immigrants, who have not come yet
  std::vector<MigrationMoves> moves = {};  // to it, where they are kept
  Reached reached = {};                    // under the archipelago's mutex

  /// The last one that it has completed. @pre there is one
  std::uint32_t generation() const noexcept { return last->generation; }
  /// The one that it begins next, or has begun.
  std::uint32_t next_generation() const noexcept { return last ? last->generation + 1 : 0; }
};

/// The plan of who sends to whom after a generation.
struct MigrationPlan {
  std::vector<std::vector<std::uint32_t>> destinations;  // [member]
  std::vector<std::size_t> sources;                      // [member] how many
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
  std::unique_ptr<Results> merged = {};  // of ranks, when they were last asked for
  // This mutex guards what threads that have islands change and others look at. It is held for a
  // few assignments.
  mutable std::mutex mutex = {};
  PhaseTimes times = {};
  std::shared_ptr<Turns> turns = {};  // while islands go on

  std::mutex plans_mutex = {};
  std::map<std::uint32_t, std::shared_ptr<const MigrationPlan>> plans = {};  // the last few

  Mailbox mailbox;
  std::unique_ptr<TeamSums> team = {};  // null: this rank counts alone
  std::thread runner = {};
  std::exception_ptr failure = {};
  std::atomic<bool> stop_requested = false;  // no island begins another generation
  std::atomic<bool> stopped = true;
  bool keeps_moves = false;

  bool synchronous() const { return experiment.migration == Migration::synchronous; }
  /// Islands go on to a generation, or until the stop is requested, and take in whoever comes to
  /// them after it. Blocks.
  void run_to(std::uint32_t last);
  TurnEnd turn(Member& member, std::uint32_t last, PhaseTimes& spent);
  TurnEnd await(const Member& member);
  void add(const PhaseTimes& spent, double& worked);
  void advance(Member& member, PhaseTimes& spent);
  void note(Member& member);  ///< what it has reached
  std::size_t index(const Member& member) const { return member.number - members.front().number; }
  RunStateHeader header(std::uint32_t generation) const;  ///< without time and jobs
  /// @throws BadBytes if the island has not come where the run has
  void expect_last(const HistoryRow& last, std::uint32_t island,
                   const RunStateHeader& header) const;
  /// @throws BadBytes if the sections or the history are not those of this experiment
  void expect_whole(const RunState& run) const;
  /// The histories of the members. @throws BadBytes if one lacks
  std::vector<IslandHistory> own_histories(const RunState& run) const;
  bool migrates_at(std::uint32_t generation) const {
    return experiment.migrate_every > 0 && generation > 0 &&
           generation % experiment.migrate_every == 0;
  }
  std::shared_ptr<const MigrationPlan> plan(std::uint32_t generation);
  void send_emigrants(Member& member);
  /// Synchronous. @return false: they have not all come; the island sleeps until they have
  bool take_expected(Member& member, PhaseTimes& spent);
  void take_what_came(Member& member);  ///< asynchronous
};

}  // namespace atl
