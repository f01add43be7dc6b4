// RUN: the folder of one run, who may write to it, and its files.
#pragma once

#include <memory>
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

/// Makes RUN. An existing folder is refused unless it is empty or force is set; with force the
/// files of a former run in it are removed, nothing else, and only if it is a RUN.
/// @throws UsageError, CannotCreate
void create_run(const std::string& folder, bool force);

/// @throws MissingInput if the folder is no RUN
void require_run(const std::string& folder);

/// The file as a whole appears or stays as it was: temporary file, sync, rename.
/// @throws CannotCreate, IoError
void write_file(const std::string& path, std::string_view content);
/// @throws MissingInput, IoError
std::string read_file(const std::string& path);

}  // namespace atl::io
