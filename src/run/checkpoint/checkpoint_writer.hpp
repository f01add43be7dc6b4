// Checkpoints, written while mining goes on.
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "io/run/checkpoint_files.hpp"
#include "io/run/checkpoint_store.hpp"
#include "io/run/run_folder.hpp"
#include "islands/archipelago/partial_state.hpp"
#include "src/core/agreement.hpp"
#include "src/core/error.hpp"
#include "src/core/run_state.hpp"
#include "src/results/written/history.hpp"
#include "src/run/log/run_log.hpp"

namespace atl {

/// The reason why the action could not write; nothing if it could.
/// @throws what else the action throws, and CannotCreate if RUN is no longer in its place: that is
///         no outage
std::optional<Error> write_error(const io::Folder& run, const std::function<void()>& action);

/// The part of a checkpoint that a rank but 0 hands in.
struct HandedIn {
  std::uint32_t generation = 0;  ///< of the checkpoint
  Outcome outcome = {};          ///< of writing its part
  io::CheckpointPart written = {};
  Bytes state = {};  ///< the encoded part, if the rank does not see RUN: rank 0 is to write it
  std::vector<HistoryRow> rows = {};
};

/// A checkpoint to be written, once all ranks have handed in what they have.
struct PendingCheckpoint {
  using Clock = std::chrono::steady_clock;

  PendingCheckpoint() = default;
  /// Begins with the part of rank 0, whose header is that of the whole.
  PendingCheckpoint(PartialState part, Clock::time_point when_stopped)
      : own(std::move(part.state)), rows(std::move(part.rows)), stopped(when_stopped) {}

  RunState own;
  std::vector<HistoryRow> rows;              ///< of all ranks, by generation, then island
  std::vector<HandedIn> parts;               ///< of the others
  Clock::time_point stopped = Clock::now();  ///< when mining stopped for it, on rank 0
  Clock::time_point begun = Clock::now();    ///< when mining went on
};

/// Writes on a thread of its own, one checkpoint at a time, and notes each in the log. It adds to
/// the run's history first, which no checkpoint has that could not be written. Rank 0's; one thread
/// uses it. Once there is a checkpoint to go on from, one that cannot be written is reported, once
/// until one can be written again, and the job goes on.
class CheckpointWriter {
 public:
  /// All outlive it, and its thread uses all.
  /// @param history  of the run so far
  /// @param unwritten  rows that are not in it, but belong there
  /// @param any  is there a checkpoint already?
  CheckpointWriter(io::CheckpointStore& store, std::unique_ptr<io::HistoryFile> history,
                   std::vector<HistoryRow> unwritten, const io::RunLock& lock, RunLog& log,
                   const Report& report, bool any);
  ~CheckpointWriter();  ///< waits for what is being written
  CheckpointWriter(const CheckpointWriter&) = delete;
  CheckpointWriter& operator=(const CheckpointWriter&) = delete;

  bool busy() const;
  /// Is there a checkpoint to go on from?
  bool any() const;
  /// Has writing failed in such a way that the job must end?
  bool failed() const;
  /// @throws why, if it has
  void require_working() const;
  /// Begins to write it and returns; waits for the one before it first.
  /// @throws what made writing fail, if the job must end
  void start(PendingCheckpoint checkpoint);
  /// Returns once nothing is being written.
  void wait();
  /// Writes it and returns when it is written. @throws as io::CheckpointStore::save, or UsageError
  /// if another process has taken RUN over
  void write(PendingCheckpoint checkpoint);
  /// All rows of history, written or not, by generation, then island.
  /// @pre nothing is being written
  /// @throws BadData, IoError
  std::vector<HistoryRow> rows() const;

 private:
  void save(PendingCheckpoint checkpoint);
  void try_to_save(PendingCheckpoint checkpoint) noexcept;

  io::CheckpointStore& store_;
  std::unique_ptr<io::HistoryFile> history_;
  std::vector<HistoryRow> unwritten_;
  const io::RunLock& lock_;
  RunLog& log_;
  const Report& report_;
  std::thread thread_;
  mutable std::mutex mutex_;  // of all that follows
  bool busy_ = false;
  bool any_;
  bool outage_ = false;  // reported
  std::exception_ptr failure_;
};

}  // namespace atl
