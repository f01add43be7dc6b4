// Checkpoints, written while mining goes on.
#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

#include "io/run/checkpoint_store.hpp"
#include "io/run/run_folder.hpp"
#include "src/run/run_log.hpp"

namespace atl {

/// Writes on a thread of its own, one checkpoint at a time, and notes each in the log. Rank 0's;
/// one thread uses it. Once there is a checkpoint to go on from, one that cannot be written is
/// reported, once until one can be written again, and the job goes on.
class CheckpointWriter {
 public:
  using Clock = std::chrono::steady_clock;

  /// All outlive it, and its thread uses all.
  /// @param any  is there a checkpoint already?
  CheckpointWriter(io::CheckpointStore& store, const io::RunLock& lock, RunLog& log,
                   const Report& report, bool any);
  ~CheckpointWriter();  ///< waits for what is being written
  CheckpointWriter(const CheckpointWriter&) = delete;
  CheckpointWriter& operator=(const CheckpointWriter&) = delete;

  bool busy() const;
  /// Is there a checkpoint to go on from?
  bool any() const;
  /// Has writing failed in such a way that the job must end?
  bool failed() const;
  /// Begins to write the state and returns; waits for the one before it first.
  /// @param state    makes it, on the thread that writes
  /// @param stopped  when mining stopped for it
  /// @throws what made writing fail, if the job must end
  void start(std::function<RunState()> state, Clock::time_point stopped);
  /// Returns once nothing is being written. @throws what kept a state from being made
  void wait();
  /// Writes the state and returns when it is written. @throws as io::CheckpointStore::save, or
  /// UsageError if another process has taken RUN over
  void write(const RunState& state, Clock::time_point stopped);

 private:
  void join();
  void save(const RunState& state, double stop_seconds);
  void try_to_save(const std::function<RunState()>& make, double stop_seconds) noexcept;

  io::CheckpointStore& store_;
  const io::RunLock& lock_;
  RunLog& log_;
  const Report& report_;
  std::thread thread_;
  mutable std::mutex mutex_;  // of all that follows
  bool busy_ = false;
  bool any_;
  bool outage_ = false;  // reported
  std::exception_ptr failure_;
  std::exception_ptr unmade_;  // why a state could not even be made
};

}  // namespace atl
