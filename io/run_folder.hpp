// RUN: the folder of one run, who may write to it, and its files.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace atl::io {

/// Paths of the files in RUN.
struct RunPaths {
  explicit RunPaths(const std::string& folder);
  std::string folder, config, rules_csv, rules_json, history, log, checkpoints, data, stop;
};

/// Holds RUN for this process until destroyed, by an fcntl lock on RUN/lock and the owner's host,
/// boot id, process and job in it. A lock whose owner is gone is taken over.
class RunLock {
 public:
  /// @throws UsageError naming the owner if another process holds it; CannotCreate
  explicit RunLock(const std::string& folder);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Who holds RUN, "process 17 on node3 (job 4711)"; nothing if nobody does, as far as can be known
/// from here: where the file system has no locks, of this host alone. Takes no lock.
std::optional<std::string> run_owner(const std::string& folder);

/// @throws UsageError, CannotCreate if create_run would refuse the folder
void expect_free(const std::string& folder, bool force);

/// Makes RUN and locks it. An existing folder is refused unless it is empty, or a RUN and force is
/// set; then the files of the former run, nothing else, are set aside in RUN/.former until
/// abandon_run or drop_former_run.
/// @throws UsageError, CannotCreate
std::unique_ptr<RunLock> create_run(const std::string& folder, bool force);

/// Undoes create_run: removes the new run's files and puts the former run back; without one the
/// folder goes, unless other things are in it. The caller holds the lock. @throws CannotCreate
void abandon_run(const std::string& folder);

/// Removes the former run for good. The caller holds the lock. @throws CannotCreate
void drop_former_run(const std::string& folder);

/// If a process has ended between create_run and what should have followed, puts the former run
/// back first, and returns true.
/// @throws MissingInput if the folder is no RUN; UsageError if it is just being replaced
bool require_run(const std::string& folder);

/// The file as a whole appears or stays as it was: temporary file, sync, rename.
/// @throws CannotCreate, IoError
void write_file(const std::string& path, std::string_view content);
/// @throws MissingInput, IoError
std::string read_file(const std::string& path);

}  // namespace atl::io
