#pragma once

#include <string>

namespace atl {

/// A folder below TMPDIR (or /tmp), removed with all that is in it at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();  ///< @throws CannotCreate
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

}  // namespace atl
