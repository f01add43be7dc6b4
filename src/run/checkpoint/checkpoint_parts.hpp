// The part that each rank has in the checkpoints of a job.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <thread>
#include <vector>

#include "islands/archipelago/partial_state.hpp"
#include "src/core/communicator.hpp"
#include "src/core/files/folder.hpp"
#include "src/run/checkpoint/checkpoint_writer.hpp"
#include "src/run/job_settings.hpp"

namespace atl {

/// RUN as a rank sees it. Where hosts share no file system, rank 0 reads and writes for those that
/// do not see it.
struct RunView {
  /// Opens it. Collective.
  RunView(const JobSettings& settings, Communicator& communicator);

  std::optional<io::Folder> folder;  ///< nothing if this rank does not see it
  std::vector<bool> sees;            ///< [rank]
};

/// Each rank writes its part on a thread of its own while mining goes on, and tells rank 0, which
/// makes a checkpoint of them once it has heard of all.
class CheckpointParts {
 public:
  /// All outlive it. @param writer  rank 0's, null elsewhere
  CheckpointParts(Communicator& communicator, const RunView& view, CheckpointWriter* writer);
  ~CheckpointParts();  ///< waits for what is being written
  CheckpointParts(const CheckpointParts&) = delete;
  CheckpointParts& operator=(const CheckpointParts&) = delete;

  /// Begins with this rank's part of a checkpoint. All ranks do so in the same order, none waits.
  /// What keeps the writer from writing, it will tell.
  /// @pre the one before is finished
  /// @param part     of the same generation on all; on rank 0 with the header's seconds, jobs and
  ///                 finished
  /// @param stopped  when mining stopped for it
  void begin(PartialState part, std::chrono::steady_clock::time_point stopped);
  /// Goes on with it if it can. Call it often. Not collective.
  void poll();
  /// Is a checkpoint begun that rank 0 has not all parts of? On rank 0.
  bool waits() const noexcept { return pending_.has_value(); }
  /// Returns once all parts of the one begun are written and rank 0 has heard of them. Collective.
  void finish();
  /// Settles the checkpoint of a job that has failed: finishes it if all ranks have begun it, and
  /// forgets it otherwise. Collective.
  void settle();
  /// This rank's part of the last checkpoint of a job is written. Collective.
  /// @pre none is begun
  /// @return on rank 0 what is to be written
  PendingCheckpoint collect(PartialState part, std::chrono::steady_clock::time_point stopped);

 private:
  HandedIn hand_in(const PartialState& part) const;
  void send();  ///< what this rank has handed in
  void receive();
  bool has_all() const;
  PendingCheckpoint complete();

  Communicator& communicator_;
  const RunView& view_;
  CheckpointWriter* writer_;
  std::optional<std::uint32_t> begun_;  // the generation of the last one
  // These are rank 0's.
  std::optional<PendingCheckpoint> pending_;
  std::map<std::uint32_t, std::vector<HandedIn>> handed_in_by_others_;  // by generation
  // These are the others'.
  std::thread thread_;
  HandedIn handed_in_;  // the thread's until it is done
  std::atomic<bool> done_ = false;
};

}  // namespace atl
