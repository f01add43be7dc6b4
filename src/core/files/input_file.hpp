#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "src/core/files/descriptor.hpp"

namespace atl::io {

class Folder;

/// Throws for an input that could not be opened: MissingInput if that is said of it, IoError if the
/// system is short of something or its storage fails.
[[noreturn]] void throw_unopened(const std::string& path, int error_number);

/// What tells a file as it is now from others, and from itself after a change.
struct FileState {
  std::uint64_t device = 0, inode = 0, size = 0;
  std::int64_t modified = 0, changed = 0;  ///< nanoseconds since 1970
  friend auto operator<=>(const FileState&, const FileState&) = default;
};

/// A regular file open for reading at any place.
class InputFile {
 public:
  /// @throws MissingInput if there is no such file, or it is a folder, a device or not readable;
  ///         IoError
  explicit InputFile(const std::string& path);
  /// A file in a folder held open; no link is followed, and the folder may refuse it (Folder).
  InputFile(const Folder& folder, const std::string& name);

  const std::string& path() const noexcept { return path_; }
  std::uint64_t size() const noexcept { return size_; }
  /// Is much less of it stored than it is long?
  bool is_sparse() const noexcept { return sparse_; }
  int descriptor() const noexcept { return descriptor_.get(); }
  /// @throws IoError
  FileState state() const;
  /// Fills `bytes` from offset `at` on. @throws IoError, also if the file ends before
  void read(std::uint64_t at, std::span<std::byte> bytes) const;

 private:
  void expect_regular();

  std::string path_;
  std::uint64_t size_ = 0;
  bool sparse_ = false;
  Descriptor descriptor_;
};

/// A file by its path, whose links are followed; or, if the path leads into `folder`, that file in
/// the folder held open. @param folder  may be null
InputFile open_input(const std::string& path, const Folder* folder);

/// @throws UsageError if the output is the input, by whatever names
void refuse_to_overwrite(const std::string& input, const std::string& output);

}  // namespace atl::io
