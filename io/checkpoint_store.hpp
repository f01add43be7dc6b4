#pragma once

#include <cstdint>
#include <ctime>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "io/folder.hpp"
#include "islands/run_state.hpp"
#include "src/core/report.hpp"

namespace atl::io {

/// A checkpoint that was found.
struct CheckpointFile {
  std::uint32_t generation = 0;
  std::string path;
  std::time_t written = 0;               ///< seconds since 1970, by the file system
  std::optional<RunStateHeader> header;  ///< nothing if it cannot be read
  std::string problem;                   ///< and why, in one line
};

/// Checkpoints of one run: files in a folder, named by generation, the last few kept. A file is
/// complete or not there (temporary file, sync, rename, sync of the folder). Used by rank 0 alone,
/// by one thread at a time; not collective.
class CheckpointStore {
 public:
  /// @param keep  number of files kept, at least 1
  CheckpointStore(std::string folder, std::uint32_t keep, Report report);

  /// @param folder  of the store, held open
  /// @throws CannotCreate or IoError; older checkpoints are intact then
  void save(const RunState& state, const Folder& folder);

  /// Header of the newest undamaged checkpoint; damaged ones are reported and passed over.
  /// @throws BadData if there are checkpoints but all are damaged; for a newer version
  std::optional<RunStateHeader> latest_header();
  /// All that lie in the folder, newest first, each read as a whole and judged; none is reported.
  /// Those that a job removes meanwhile are not among them.
  std::vector<CheckpointFile> look() const;
  /// The newest undamaged state.
  /// @param check  throws BadBytes for one that is no better than damaged
  std::optional<RunState> latest(const IslandGrammars& grammars,
                                 const std::function<void(const RunState&)>& check = {});

 private:
  std::string folder_;
  std::uint32_t keep_;
  Report report_;
  std::set<std::string> reported_;  // damaged files are named once
};

}  // namespace atl::io
