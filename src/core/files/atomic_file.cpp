#include "src/core/files/atomic_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include <climits>

#include "src/core/error.hpp"
#include "src/core/files/file_lock.hpp"
#include "src/core/files/folder.hpp"

namespace atl::io {
namespace {

constexpr const char* temporary_mark = ".partial-";

// Where a link leads; nothing if it is none. A link of another user may have been put there to lead
// astray.
std::optional<std::string> target_of(const std::string& path) {
  const Descriptor link(::open(path.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
  struct stat status {};
  if (!link.is_open() || ::fstat(link.get(), &status) != 0 || !S_ISLNK(status.st_mode)) return {};
  if (status.st_uid != ::geteuid() && status.st_uid != 0) {
    throw CannotCreate(path, "is a symbolic link of another user's");
  }
  std::string target(PATH_MAX, '\0');
  const ssize_t length = ::readlinkat(link.get(), "", target.data(), target.size());
  if (length < 0) throw_write_error(path, errno);
  target.resize(static_cast<std::size_t>(length));
  return target;
}

// A place in which a file can be replaced: nothing is there, or a file.
void expect_replaceable(const std::string& path) {
  struct stat there {
  }, out{};
  if (::stat(path.c_str(), &there) != 0 || S_ISREG(there.st_mode)) return;
  if (S_ISDIR(there.st_mode)) throw CannotCreate(path, "is a folder");
  const bool is_output =
      ::fstat(STDOUT_FILENO, &out) == 0 && out.st_dev == there.st_dev && out.st_ino == there.st_ino;
  throw CannotCreate(path, std::string("is not a regular file") +
                               (is_output ? "; - stands for standard output" : ""));
}

std::string folder_of(const std::string& path) {
  const auto parent = std::filesystem::path(path).parent_path();
  return parent.empty() ? "." : parent.string();
}

// Names of temporary files: "OUT.partial-node3-1f2e3d4c-4711-0" has the host, the beginning of its
// boot id, the process and a number.
constexpr std::size_t boot_digits = 8;

std::string temporary_stem(const std::string& name) {
  char host[65] = "";
  (void)::gethostname(host, sizeof host - 1);
  std::replace(std::begin(host), std::end(host), '/', '_');  // of a name that someone has made up
  std::string boot = boot_id().substr(0, boot_digits);
  boot.resize(boot_digits, '0');
  return name + temporary_mark + host + "-" + boot + "-";
}

bool takes_off(std::string_view& text, std::string_view digits, std::size_t least) {
  const std::size_t last = text.find_last_not_of(digits);
  if (last == text.npos || text[last] != '-' || text.size() - last - 1 < least) return false;
  text = text.substr(0, last);
  return true;
}

bool has_form_of_temporary(const std::string& file, const std::string& name) {
  std::string_view rest = name;
  return is_temporary_of(file, name) && takes_off(rest, "0123456789", 1) &&
         takes_off(rest, "0123456789", 1) && takes_off(rest, "0123456789abcdef", boot_digits);
}

// Does the name lead to another file than to the open one? False where that cannot be known.
bool is_another(int folder, const std::string& name, int file) {
  struct stat open {
  }, there{};
  if (::fstat(file, &open) != 0 ||
      ::fstatat(folder, name.c_str(), &there, AT_SYMLINK_NOFOLLOW) != 0) {
    return false;
  }
  return open.st_dev != there.st_dev || open.st_ino != there.st_ino;
}

// Removes a temporary file whose process has ended. One that lives holds a lock on it, which says
// nothing where the process may run under another kernel and locks may not reach there.
void remove_if_left(int folder, const std::string& name, bool same_kernel) {
  const Descriptor left(
      ::openat(folder, name.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0));
  struct stat status {};
  if (!left.is_open() || ::fstat(left.get(), &status) != 0 || !S_ISREG(status.st_mode) ||
      status.st_uid != ::geteuid() || status.st_nlink != 1) {
    return;
  }
  if (!same_kernel && !is_of_this_host_alone(left.get())) return;
  if (try_to_lock(left.get()) != 0 || is_another(folder, name, left.get())) return;
  ::unlinkat(folder, name.c_str(), 0);
}

// Removes what killed processes left of the file.
void remove_remains(int folder, const std::string& file, const std::string& stem) {
  const bool known = !boot_id().empty();
  for (const std::string& name : entry_names(folder).value_or(std::vector<std::string>())) {
    if (!has_form_of_temporary(file, name)) continue;
    remove_if_left(folder, name, known && name.starts_with(stem));
  }
}

// Makes a rename last. Some file systems cannot sync a folder; the rename itself has succeeded.
void sync_folder(int folder, const std::string& path) {
  const Descriptor readable(::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0));
  if (!readable.is_open()) return;
  if (::fsync(readable.get()) != 0 && errno == EIO) throw IoError(path, std::strerror(EIO));
}

}  // namespace

void throw_write_error(const std::string& path, int error_number) {
  const std::string problem = std::strerror(error_number);
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
    case EROFS:
    case EACCES:
    case EPERM:
    case ENOENT:
    case ENOTDIR:
    case EISDIR:
    case ENAMETOOLONG:
    case ELOOP:
    case ENOTEMPTY:
    case EEXIST:
    case EXDEV:
    case EBUSY:
      throw CannotCreate(path, problem);
    default:
      throw IoError(path, problem);
  }
}

void write_at(int file, std::uint64_t at, std::span<const std::byte> bytes,
              const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw_write_error(path, errno);
    at += static_cast<std::uint64_t>(written);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

std::string written_place(std::string path) {
  expect_replaceable(path);
  namespace fs = std::filesystem;
  constexpr int most_links = 40;
  for (int links = 0; const auto target = target_of(path); ++links) {
    if (links == most_links) throw_write_error(path, ELOOP);
    path = (fs::path(path).parent_path() / *target).string();
  }
  return path;
}

AtomicFile::AtomicFile(const std::string& path)
    : path_(written_place(path)),
      folder_(::open(folder_of(path_).c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC, 0)),
      name_(std::filesystem::path(path_).filename().string()) {
  if (!folder_.is_open()) throw_write_error(path, errno);
  open();
}

AtomicFile::AtomicFile(const Folder& folder, const std::string& name)
    : path_(folder.path_of(name)),
      folder_(::fcntl(folder.descriptor(), F_DUPFD_CLOEXEC, 0)),
      name_(name) {
  if (!folder_.is_open()) throw_write_error(path_, errno);
  folder.expect_file(name);
  open();
}

AtomicFile::AtomicFile(const std::string& path, const Folder& parked, const std::string& name,
                       std::uint64_t size)
    : path_(written_place(path)),
      folder_(::open(folder_of(path_).c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC, 0)),
      name_(std::filesystem::path(path_).filename().string()),
      temporary_(name),
      parked_in_(::fcntl(parked.descriptor(), F_DUPFD_CLOEXEC, 0)),
      size_(size),
      file_(parked.open_in_place(name)) {
  if (!folder_.is_open()) throw_write_error(path, errno);
  if (!parked_in_.is_open() || ::ftruncate(file_.get(), static_cast<off_t>(size)) != 0) {
    throw_write_error(parked.path_of(name), errno);
  }
}

void AtomicFile::open() {
  const std::string stem = temporary_stem(name_);
  remove_remains(folder_.get(), name_, stem);
  for (int attempt = 0; !file_.is_open(); ++attempt) {
    temporary_ = stem + std::to_string(::getpid()) + "-" + std::to_string(attempt);
    file_ = Descriptor(
        ::openat(folder_.get(), temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (!file_.is_open()) {
      if (errno != EEXIST && errno != EINTR) throw_write_error(path_, errno);
      continue;
    }
    // Another process may have taken it for a left one in the moment before the lock.
    struct stat status {};
    const bool taken = is_held_by_another(try_to_lock(file_.get()));
    if (taken || (::fstat(file_.get(), &status) == 0 && status.st_nlink == 0)) file_.close();
  }
}

AtomicFile::~AtomicFile() {
  if (file_.is_open() && !parked_in_.is_open() &&
      !is_another(folder_.get(), temporary_, file_.get())) {
    ::unlinkat(folder_.get(), temporary_.c_str(), 0);
  }
}

std::string AtomicFile::temporary() const {
  return (std::filesystem::path(path_).parent_path() / temporary_).string();
}

std::string AtomicFile::readable_path() const {
  return "/proc/self/fd/" + std::to_string(file_.get());
}

void AtomicFile::write(std::uint64_t at, std::span<const std::byte> bytes) {
  write_at(file_.get(), at, bytes, path_);
  size_ = std::max(size_, at + bytes.size());
}

void AtomicFile::park(const Folder& folder, const std::string& name) {
  if (::fsync(file_.get()) != 0) throw_write_error(path_, errno);
  if (parked_in_.is_open()) return;
  expect_ours(folder_.get());
  Descriptor there(::fcntl(folder.descriptor(), F_DUPFD_CLOEXEC, 0));
  if (!there.is_open() ||
      ::renameat(folder_.get(), temporary_.c_str(), there.get(), name.c_str()) != 0) {
    throw_write_error(folder.path_of(name), errno);
  }
  parked_in_ = std::move(there);
  temporary_ = name;
  sync_folder(parked_in_.get(), folder.path());
}

void AtomicFile::expect_ours(int folder) const {
  if (is_another(folder, temporary_, file_.get())) {
    throw CannotCreate(path_, "what was written of it was replaced by somebody else");
  }
}

void AtomicFile::commit() {
  if (::fsync(file_.get()) != 0) throw_write_error(path_, errno);
  const int from = parked_in_.is_open() ? parked_in_.get() : folder_.get();
  expect_ours(from);
  if (::renameat(from, temporary_.c_str(), folder_.get(), name_.c_str()) != 0) {
    throw_write_error(path_, errno);
  }
  const bool replaced = is_another(folder_.get(), name_, file_.get());
  file_.close();
  if (replaced) throw CannotCreate(path_, "was replaced by somebody else as it was written");
  sync_folder(folder_.get(), folder_of(path_));
}

bool is_temporary_of(const std::string& file, const std::string& name) {
  return name.starts_with(file + temporary_mark);
}

bool is_temporary_name(const std::string& name) noexcept {
  return name.find(temporary_mark) != std::string::npos;
}

}  // namespace atl::io
