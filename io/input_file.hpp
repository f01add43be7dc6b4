#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace atl::io {

/// A regular file open for reading at any place.
class InputFile {
 public:
  /// @throws MissingInput if there is no such file, or it is a folder, a device or not readable
  explicit InputFile(const std::string& path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::string& path() const noexcept { return path_; }
  std::uint64_t size() const noexcept { return size_; }
  int descriptor() const noexcept { return descriptor_; }
  /// Fills `bytes` from offset `at` on. @throws IoError, also if the file ends before
  void read(std::uint64_t at, std::span<std::byte> bytes) const;

 private:
  std::string path_;
  std::uint64_t size_ = 0;
  int descriptor_ = -1;
};

}  // namespace atl::io
