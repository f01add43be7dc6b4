// A folder that others may be able to write to.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <vector>

#include "src/core/files/descriptor.hpp"

namespace atl::io {

/// The use that an entry is to have. To be read, it must be a file, or a folder, itself: no
/// symbolic link, pipe, device or socket. To be written or trusted, it must also belong to this
/// user, to the owner of the folder or to root.
enum class Access { read, write };

/// A folder held open. What lies in it is reached through its descriptor: no symbolic link in it is
/// followed, nothing in it is waited for, and what takes its place under its path is not touched.
///
/// Entries that are not what they should be are refused by name: with MissingInput where the folder
/// is for reading, else with CannotCreate.
class Folder {
 public:
  /// Links in the path are followed: it is the user's own word.
  /// @throws MissingInput (read), CannotCreate or IoError (write)
  Folder(const std::string& path, Access access);

  const std::string& path() const noexcept { return path_; }
  std::string path_of(std::string_view name) const {
    return (path_ == "." ? "" : path_ + "/") + std::string(name);
  }
  int descriptor() const noexcept { return descriptor_.get(); }

  /// Is it still what its path leads to? Where that cannot be known, in an outage of storage, yes.
  bool is_in_place() const noexcept;
  /// @throws CannotCreate if it is not
  void require_in_place() const;

  /// Names of its entries, sorted. @throws as the constructor
  std::vector<std::string> names() const;
  /// Is there anything of that name, whatever it is?
  bool has(const std::string& name) const;
  /// @throws if there is something of that name, and it is no file fit for the access
  void expect_file(const std::string& name) const;
  /// The folder of that name; nothing if there is none.
  /// @throws if it is no folder fit for the access
  std::optional<Folder> folder(const std::string& name) const;
  /// The folder of that name, made if need be.
  Folder make_folder(const std::string& name) const;
  /// The folder of that name, made if need be. It is this user's, and nobody else may change what
  /// lies in it.
  /// @throws CannotCreate also if it is another user's
  Folder make_private_folder(const std::string& name) const;
  /// No link, this user's or root's, and so must be what lies in it, whoever owns this folder.
  /// Nothing if there is none. @throws CannotCreate if it is another user's
  std::optional<Folder> own_folder(const std::string& name) const;
  /// @throws CannotCreate if the folder is another user's
  void require_owned() const;

  /// Opens a file to be read. @throws MissingInput if there is none, or it cannot be opened
  Descriptor open_to_read(const std::string& name) const;
  /// Opens a file, made if need be, to be read and written in place: it may have no other name
  /// elsewhere (a hard link). @param flags  beside O_RDWR | O_CREAT
  Descriptor open_in_place(const std::string& name, int flags = 0) const;

  /// rename() and remove() do not follow links. @throws CannotCreate, IoError
  void rename(const std::string& name, const Folder& to, const std::string& new_name) const;
  /// Removes a file, a link or an empty folder. It is no error if there is none.
  void remove(const std::string& name) const;
  /// Removes an entry that nobody needs any more. It is no error if that fails.
  void remove_if_possible(const std::string& name) const noexcept;

 private:
  Folder(std::string path, Access access, Descriptor descriptor);

  enum class Kind { file, folder };
  std::string problem_of(const struct stat& status, Kind kind) const;
  void expect(const std::string& name, Kind kind) const;
  [[noreturn]] void refuse(const std::string& path, const std::string& problem) const;
  [[noreturn]] void fail(const std::string& path, int error_number) const;

  std::string path_;
  Access access_;
  Descriptor descriptor_;
  uid_t owner_ = 0;  // of the folder that was named, not of one in it
};

/// From now on this process can use the files and folders that it makes, whatever the umask says:
/// with one of 0777 a new RUN could not even be opened.
void keep_own_rights();

/// Names in an open folder, unsorted; none if it cannot be read, with errno set.
std::optional<std::vector<std::string>> entry_names(int folder);

/// Texts that people write, and what is made of them, are no longer.
inline constexpr std::uint64_t most_text_bytes = std::uint64_t{1} << 26;

/// @throws BadData saying that the file of `size` bytes has more than `most`
[[noreturn]] void throw_too_long(const std::string& path, std::uint64_t size, std::uint64_t most);

/// The content of a file in it. @throws MissingInput, IoError; BadData if it has more than `most`
/// @param owner  if it is set: receives whose the file is that was read
std::string read_file(const Folder& folder, const std::string& name,
                      std::uint64_t most = most_text_bytes, uid_t* owner = nullptr);

}  // namespace atl::io
