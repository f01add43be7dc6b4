// Which ranks see the files of a run.
#pragma once

#include <optional>
#include <vector>

#include "src/core/communicator.hpp"
#include "src/core/files/folder.hpp"
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

}  // namespace atl
