#pragma once

#include <cstdint>
#include <ctime>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "io/run/checkpoint_files.hpp"
#include "src/core/files/folder.hpp"
#include "src/core/report.hpp"
#include "src/core/run_state.hpp"

namespace atl::io {

/// A checkpoint that was found.
struct CheckpointFile {
  std::uint32_t generation = 0;
  std::string path;
  std::time_t written = 0;               ///< seconds since 1970, by the file system
  std::optional<RunStateHeader> header;  ///< nothing if it cannot be read
  std::string problem;                   ///< and why, in one line
  bool unknown = false;  ///< that is an error of the system: the file may be as good as ever
};

/// Checkpoints of one run: files in RUN/checkpoints, named by generation, the last few kept. One is
/// there once its own file is; a file is complete or not there (temporary file, sync, rename, sync
/// of the folder). Used by rank 0 alone, by one thread at a time; not collective.
class CheckpointStore {
 public:
  /// @param run  RUN held open; outlives it. What is not fit for its access is refused
  /// @param keep  number of files kept, at least 1
  CheckpointStore(const Folder& run, std::uint32_t keep, Report report);

  /// Its parts have been written. Others of its generation, and of former ones that are in no
  /// checkpoint, are removed.
  /// @throws CannotCreate or IoError; older checkpoints are intact then
  void save(const CheckpointManifest& checkpoint);

  /// Header of the newest undamaged checkpoint that is the run's own; if none is, of the newest
  /// undamaged one. Those that are passed over are reported. Of parts it only sees
  /// whether they are there, and it does without history.
  /// @param is_own  anybody may have put others among them; without it all are
  /// @throws BadData if there are checkpoints but all are damaged; for a newer version
  std::optional<RunStateHeader> latest_header(
      const std::function<bool(const RunStateHeader&)>& is_own = {});
  /// All that lie in the folder, newest first, each read as a whole and judged; none is reported.
  /// A damaged history counts as long as it is not that of all.
  /// Those that a job removes meanwhile are not among them.
  std::vector<CheckpointFile> list() const;
  /// The newest undamaged checkpoint.
  /// @param use  takes it up; throws BadBytes for one that is no better than damaged
  /// @return is there one?
  bool newest(const std::function<void(const CheckpointManifest&)>& use);
  /// The newest undamaged state, with the sections of all parts, without history.
  /// @param check  looks into the sections; throws BadBytes likewise
  std::optional<RunState> latest(const std::function<void(const RunState&)>& check);

 private:
  void remove_older(const Folder& folder, const CheckpointManifest& checkpoint);

  const Folder& run_;
  std::uint32_t keep_;
  Report report_;
  std::set<std::string> reported_;  // damaged files are named once
};

}  // namespace atl::io
