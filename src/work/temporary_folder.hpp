#pragma once

#include <string>

#include "src/core/files/folder.hpp"

namespace atl {

/// TMPDIR, or /tmp: where a file without a name can be made (io::TemporaryFile).
std::string temporary_place();

/// A folder below TMPDIR (or /tmp), removed with all files in it at the end. It is held open, so
/// that nothing happens to a folder that is put in its place.
class TemporaryFolder {
 public:
  TemporaryFolder();  ///< @throws CannotCreate
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const io::Folder& folder() const noexcept { return folder_; }

 private:
  io::Folder folder_;
};

}  // namespace atl
