#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "src/core/files/descriptor.hpp"

namespace atl::io {

class Folder;

/// Throws what a failed write deserves: CannotCreate where there is no room, no permission or no
/// such place, IoError for anything else.
[[noreturn]] void throw_write_error(const std::string& path, int error_number);

/// Writes all bytes at this place of an open file. @param path  for messages
/// @throws as throw_write_error
void write_at(int file, std::uint64_t at, std::span<const std::byte> bytes,
              const std::string& path);

/// The place that is written to under a path: where its links lead, in whatever file system that
/// is. Follows symbolic links that are this user's or root's.
/// @throws CannotCreate also if what is there is no regular file
std::string written_place(std::string path);

/// A file that appears as a whole or not at all: written under a temporary name beside its place,
/// synced, renamed over it, the folder synced. What is no regular file is refused. The folder is
/// held open: one that takes its place meanwhile is not written to. Of temporary files for the same
/// place those are removed whose process was killed: while it lives it holds a lock on its own.
class AtomicFile {
 public:
  /// Opens a file by its path, and follows a symbolic link that is this user's or root's.
  /// @throws CannotCreate, IoError
  explicit AtomicFile(const std::string& path);
  /// Opens a file in a folder, and follows no link. @throws CannotCreate, IoError
  AtomicFile(const Folder& folder, const std::string& name);
  /// Goes on with what another process has parked, as long as it was then.
  /// @param path  as above  @throws CannotCreate, IoError
  AtomicFile(const std::string& path, const Folder& parked, const std::string& name,
             std::uint64_t size);
  ~AtomicFile();  ///< removes the temporary file unless it was committed or parked
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  const std::string& path() const noexcept { return path_; }
  std::string temporary() const;  ///< its path
  /// Leads to what is written, wherever the folder is by now; for this process alone.
  std::string readable_path() const;

  /// Writes at an offset of the file; what lies before it and is never written is zero.
  /// @throws CannotCreate, IoError
  void write(std::uint64_t at, std::span<const std::byte> bytes);
  /// Writes at the end. @throws CannotCreate, IoError
  void append(std::span<const std::byte> bytes) { write(size_, bytes); }
  /// Makes what was written last from now on, under this name until commit(), also if this process
  /// ends. The folder is on the same file system. @throws CannotCreate, IoError
  void park(const Folder& folder, const std::string& name);
  /// @throws CannotCreate, also if somebody has replaced the temporary file, IoError; the file's
  /// former content is intact then
  void commit();

 private:
  void open();
  void expect_ours(int folder) const;

  std::string path_;
  Descriptor folder_;
  std::string name_, temporary_;  // in the folder
  Descriptor parked_in_;          // the folder of the temporary file, if it is another one
  std::uint64_t size_ = 0;
  Descriptor file_;
};

/// Does the name look like a temporary file that AtomicFile left behind when it was killed?
bool is_temporary_name(const std::string& name) noexcept;
/// Is it the name of a temporary file of this file? Both are without their folder.
bool is_temporary_of(const std::string& file, const std::string& name);

}  // namespace atl::io
