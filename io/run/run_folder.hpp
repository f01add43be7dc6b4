// RUN: the folder of one run, who may write to it, and its files.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "src/core/files/folder.hpp"
#include "src/core/files/folder_lock.hpp"
#include "src/core/report.hpp"

namespace atl::io {

/// Paths of the files in RUN.
struct RunPaths {
  explicit RunPaths(const std::string& folder);
  std::string folder, config, rules_csv, rules_json, history, log, checkpoints, data, stop;
  std::string runs;  ///< runs.json, of a run that was collected from others; else it is not there
};

bool is_collected(const Folder& run);
/// @throws UsageError for a run that was collected, which no job can go on with
void expect_mined(const Folder& run);

/// Holds RUN for this process.
class RunLock : public FolderLock {
 public:
  /// @throws UsageError naming the owner if another process holds it; CannotCreate, also if what
  ///         lies in RUN in place of its files is none of its own (expect_plain); IoError
  explicit RunLock(const std::string& folder, const LockOptions& options = {});
};

/// @throws UsageError, CannotCreate if create_run would refuse the folder
void expect_free(const std::string& folder, bool force);

/// Makes RUN and locks it. An existing folder is refused unless it is empty, or a RUN and force is
/// set; then the files of the former run, nothing else, are set aside in RUN/.former until
/// abandon_run or drop_former_run.
/// @throws UsageError, CannotCreate
std::unique_ptr<RunLock> create_run(const std::string& folder, bool force,
                                    const LockOptions& options = {});

/// Undoes create_run: removes the new run's files and puts the former run back; without one the
/// folder goes, unless other things are in it. Leaves all as it is if another process has taken RUN
/// over. @throws CannotCreate
void abandon_run(const RunLock& lock);

/// Removes the former run for good. What cannot be removed stays, to be removed by the next job.
/// @throws CannotCreate; as RunLock::require_held
void drop_former_run(const RunLock& lock);

/// Locks the run in a folder, to go on with it. What killed jobs left of files that they were
/// writing is removed. Where a process has ended between create_run and what should have followed,
/// the former run is put back, and options.report is told.
/// @throws MissingInput if the folder is no RUN; UsageError if it was collected; as RunLock
std::unique_ptr<RunLock> lock_run(const std::string& folder, const LockOptions& options = {});

/// The folder that holds the files of a run, open to be read: of a run that is just being replaced,
/// the new one's once it has a configuration; where a process has ended in between, the former
/// one's, wherever it is. Changes nothing and takes no lock. @throws MissingInput if the folder is
/// no RUN
Folder find_run(const std::string& folder);

/// The file as a whole appears or stays as it was: temporary file, sync, rename.
/// @throws CannotCreate, IoError
void write_file(const std::string& path, std::string_view content);
/// The same in a folder held open. @throws CannotCreate also if another has taken its place
void write_file(const Folder& folder, const std::string& name, std::string_view content);
/// The same in RUN. @throws also as RunLock::require_held
void write_file(const RunLock& run, const std::string& name, std::string_view content);
/// @param most  bytes
/// @throws MissingInput, IoError, BadData if it has more bytes
std::string read_file(const std::string& path, std::uint64_t most = most_text_bytes);

}  // namespace atl::io
