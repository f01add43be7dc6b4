#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "src/core/files/folder.hpp"
#include "src/core/files/folder_lock.hpp"
#include "src/core/report.hpp"
#include "src/work/task_state.hpp"

namespace atl {

/// OUT.checkpoint, the folder beside OUT in which a task keeps what it has when it stops: its
/// state, the output so far and text that waits. It bears a mark of atoll's, is no link, belongs to
/// this user or root, and is held by this process; whatever else lies there is refused and stays
/// as it is. Used by rank 0 alone; one thread at a time, but for expect_held().
class TaskFolder {
 public:
  /// Made if need be. @param output  no link
  /// @throws UsageError if another process holds it; CannotCreate if it is not ours; IoError
  TaskFolder(const std::string& output, const Report& report);
  /// Removes it unless something is kept.
  ~TaskFolder();
  TaskFolder(const TaskFolder&) = delete;
  TaskFolder& operator=(const TaskFolder&) = delete;

  const std::string& path() const noexcept { return path_; }
  /// The folder, if it is still held. To be called before anything in it is written, renamed or
  /// removed.
  /// @throws UsageError if another process has taken it over; CannotCreate if it, or its lock, was
  ///         removed or replaced
  const io::Folder& held() const;
  bool is_held() const noexcept;
  /// The same as held(), for what is done very often: does not look again within some milliseconds.
  /// A process that was stopped in between looks.
  void expect_held();

  /// Loads what another process has left of this task. A state that is damaged is reported, and
  /// removed.
  /// @param identity  is asked if there is a state, as it may take long to make
  /// @param expect  throws BadBytes if the state is not what the task can have
  /// @param force  that of another task is removed, too
  /// @throws UsageError if it is another's; as held()
  std::optional<TaskState> load(const std::function<const Identity&()>& identity, bool force,
                                const std::function<void(const TaskState&)>& expect);
  /// For a command that keeps nothing here: no task has left anything to go on with.
  /// @param force  what one has left is removed  @throws UsageError if there is; as held()
  void expect_nothing_kept(const std::string& command, bool force);
  /// @throws as held()
  void save(const TaskState& state);
  /// Can another process go on?
  bool is_kept() const;
  /// Is there a file "stop"?
  bool tells_to_stop() const;
  /// Removes the folder; what cannot be removed stays.
  void remove() noexcept;

 private:
  std::optional<TaskState> read(const Identity& identity, bool force);
  void remove_kept() const;

  std::string path_;
  std::string name_;  // in the folder of OUT
  io::Folder parent_;
  Report report_;
  std::unique_ptr<io::FolderLock> lock_;
  std::chrono::steady_clock::time_point last_look_;
  bool removed_ = false;
};

}  // namespace atl
