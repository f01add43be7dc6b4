#include "src/core/files/folder.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "src/core/error.hpp"
#include "src/core/files/atomic_file.hpp"
#include "src/core/files/input_file.hpp"

namespace atl::io {
namespace {

const char* kind_of(mode_t mode) {
  if (S_ISREG(mode)) return "a file";
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISLNK(mode)) return "a symbolic link";
  if (S_ISFIFO(mode)) return "a named pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

constexpr int careful = O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;

}  // namespace

Folder::Folder(const std::string& path, Access access)
    : path_(path),
      access_(access),
      descriptor_(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC, 0)) {
  struct stat status {};
  if (!descriptor_.is_open() || ::fstat(descriptor(), &status) != 0) fail(path, errno);
  owner_ = status.st_uid;
}

Folder::Folder(std::string path, Access access, Descriptor descriptor)
    : path_(std::move(path)), access_(access), descriptor_(std::move(descriptor)) {}

void Folder::refuse(const std::string& path, const std::string& problem) const {
  if (access_ == Access::read) throw MissingInput(path, problem);
  throw CannotCreate(path, problem);
}

void Folder::fail(const std::string& path, int error_number) const {
  if (access_ == Access::read) throw_unopened(path, error_number);
  throw_write_error(path, error_number);
}

bool Folder::is_in_place() const noexcept {
  struct stat held {
  }, there{};
  if (::stat(path_.c_str(), &there) != 0) {
    return errno != ENOENT && errno != ENOTDIR && errno != ELOOP;
  }
  if (::fstat(descriptor(), &held) != 0) return errno != ESTALE;
  return held.st_dev == there.st_dev && held.st_ino == there.st_ino;
}

void Folder::require_in_place() const {
  if (is_in_place()) return;
  struct stat there {};
  const bool another = ::stat(path_.c_str(), &there) == 0;
  throw CannotCreate(
      path_, std::string(another ? "was replaced by another folder" : "was removed or renamed") +
                 " while it was worked on; nothing more is written");
}

std::vector<std::string> Folder::names() const {
  auto names = entry_names(descriptor());
  if (!names) fail(path_, errno);
  std::sort(names->begin(), names->end());
  return std::move(*names);
}

bool Folder::has(const std::string& name) const {
  struct stat status {};
  return ::fstatat(descriptor(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
}

// Owners that are no stranger: root may do anything, and the folder's may with its entries.
std::string Folder::problem_of(const struct stat& status, Kind kind) const {
  const bool folder = kind == Kind::folder;
  if (folder ? !S_ISDIR(status.st_mode) : !S_ISREG(status.st_mode)) {
    return std::string("is ") + kind_of(status.st_mode) + ", expected a " +
           (folder ? "folder" : "file");
  }
  const bool known = status.st_uid == ::geteuid() || status.st_uid == owner_ || status.st_uid == 0;
  if (access_ == Access::read || known) return "";
  return "belongs to another user (uid " + std::to_string(status.st_uid) +
         "), neither to this one nor to the owner of the folder; remove it, or go on with a copy "
         "of the folder (cp -r)";
}

void Folder::expect(const std::string& name, Kind kind) const {
  struct stat status {};
  if (::fstatat(descriptor(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return;
  const std::string problem = problem_of(status, kind);
  if (!problem.empty()) refuse(path_of(name), problem);
}

void Folder::expect_file(const std::string& name) const {
  expect(name, Kind::file);
}

std::optional<Folder> Folder::folder(const std::string& name) const {
  Descriptor found(
      ::openat(descriptor(), name.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0));
  struct stat status {};
  if (!found.is_open() || ::fstat(found.get(), &status) != 0) {
    const int error_number = errno;
    if (error_number == ENOENT) return std::nullopt;
    expect(name, Kind::folder);
    fail(path_of(name), error_number);
  }
  const std::string problem = problem_of(status, Kind::folder);
  if (!problem.empty()) refuse(path_of(name), problem);
  Folder inner(path_of(name), access_, std::move(found));
  inner.owner_ = owner_;
  return inner;
}

Folder Folder::make_folder(const std::string& name) const {
  if (::mkdirat(descriptor(), name.c_str(), 0777) != 0 && errno != EEXIST) {
    fail(path_of(name), errno);
  }
  auto made = folder(name);
  if (!made) fail(path_of(name), ENOENT);
  return std::move(*made);
}

std::optional<Folder> Folder::own_folder(const std::string& name) const {
  std::optional<Folder> found = folder(name);
  if (!found) return std::nullopt;
  struct stat status {};
  if (::fstat(found->descriptor(), &status) != 0) fail(found->path(), errno);
  if (status.st_uid != 0) found->require_owned();
  found->owner_ = ::geteuid();
  return found;
}

void Folder::require_owned() const {
  struct stat status {};
  if (::fstat(descriptor(), &status) != 0) fail(path_, errno);
  if (status.st_uid == ::geteuid()) return;
  refuse(path_, "belongs to another user (uid " + std::to_string(status.st_uid) + ")");
}

Folder Folder::make_private_folder(const std::string& name) const {
  Folder made = make_folder(name);
  struct stat status {};
  if (::fstat(made.descriptor(), &status) != 0) fail(made.path(), errno);
  made.require_owned();
  // A descriptor that only names the folder (O_PATH) has no fchmod().
  const std::string there = "/proc/self/fd/" + std::to_string(made.descriptor());
  constexpr mode_t others = S_IWGRP | S_IWOTH;
  if ((status.st_mode & others) != 0 &&
      ::chmod(there.c_str(), status.st_mode & 07777 & ~others) != 0) {
    fail(made.path(), errno);
  }
  return made;
}

Descriptor Folder::open_to_read(const std::string& name) const {
  Descriptor file(::openat(descriptor(), name.c_str(), O_RDONLY | careful, 0));
  struct stat status {};
  if (!file.is_open() || ::fstat(file.get(), &status) != 0) {
    const int error_number = errno;
    expect(name, Kind::file);
    throw_unopened(path_of(name), error_number);
  }
  const std::string problem = problem_of(status, Kind::file);
  if (!problem.empty()) refuse(path_of(name), problem);
  return file;
}

Descriptor Folder::open_in_place(const std::string& name, int flags) const {
  Descriptor file(::openat(descriptor(), name.c_str(), O_RDWR | O_CREAT | flags | careful, 0666));
  struct stat status {};
  if (!file.is_open() || ::fstat(file.get(), &status) != 0) {
    const int error_number = errno;
    expect(name, Kind::file);
    fail(path_of(name), error_number);
  }
  const std::string problem = problem_of(status, Kind::file);
  if (!problem.empty()) refuse(path_of(name), problem);
  if (status.st_nlink > 1) {
    refuse(path_of(name),
           "has another name elsewhere (a hard link), where it would change, too; "
           "put a copy in its place");
  }
  return file;
}

void Folder::rename(const std::string& name, const Folder& to, const std::string& new_name) const {
  if (::renameat(descriptor(), name.c_str(), to.descriptor(), new_name.c_str()) != 0) {
    throw_write_error(to.path_of(new_name), errno);
  }
}

void Folder::remove(const std::string& name) const {
  if (::unlinkat(descriptor(), name.c_str(), 0) == 0 || errno == ENOENT) return;
  const bool may_be_folder = errno == EISDIR || errno == EPERM;
  const int error_number = errno;
  if (may_be_folder && ::unlinkat(descriptor(), name.c_str(), AT_REMOVEDIR) == 0) return;
  throw_write_error(path_of(name), may_be_folder && errno != ENOTDIR ? errno : error_number);
}

void Folder::remove_if_possible(const std::string& name) const noexcept {
  if (::unlinkat(descriptor(), name.c_str(), 0) != 0) {
    (void)::unlinkat(descriptor(), name.c_str(), AT_REMOVEDIR);
  }
}

void keep_own_rights() {
  const mode_t before = ::umask(0);
  ::umask(before & ~static_cast<mode_t>(S_IRWXU));
}

std::optional<std::vector<std::string>> entry_names(int folder) {
  const int listed = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
  if (listed < 0) return std::nullopt;
  DIR* const entries = ::fdopendir(listed);
  if (entries == nullptr) {
    const int error_number = errno;
    ::close(listed);
    errno = error_number;
    return std::nullopt;
  }
  std::vector<std::string> names;
  for (errno = 0; const dirent* const entry = ::readdir(entries); errno = 0) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  const int error_number = errno;  // 0 at the end
  ::closedir(entries);
  if (error_number == 0) return names;
  errno = error_number;
  return std::nullopt;
}

void throw_too_long(const std::string& path, std::uint64_t size, std::uint64_t most) {
  throw BadData(path, "has " + std::to_string(size >> 20) + " MiB, expected at most " +
                          std::to_string(most >> 20));
}

std::string read_file(const Folder& folder, const std::string& name, std::uint64_t most,
                      uid_t* owner) {
  const Descriptor file = folder.open_to_read(name);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) throw IoError(folder.path_of(name), std::strerror(errno));
  if (owner != nullptr) *owner = status.st_uid;
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size > most) throw_too_long(folder.path_of(name), size, most);
  std::string content;
  std::array<char, 65536> block;
  for (;;) {
    const ssize_t got = ::read(file.get(), block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw IoError(folder.path_of(name), std::strerror(errno));
    if (got == 0) return content;
    content.append(block.data(), static_cast<std::size_t>(got));
    if (content.size() > most) throw_too_long(folder.path_of(name), content.size(), most);
  }
}

}  // namespace atl::io
