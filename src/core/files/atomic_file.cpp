#include "src/core/files/atomic_file.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
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
#include "src/core/files/folder.hpp"

namespace atl::io {
namespace {

constexpr const char* temporary_mark = ".partial-";

// The target of a link; nothing if it is none. Another user's link may have been put there to lead
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

std::string resolve(std::string path) {
  namespace fs = std::filesystem;
  constexpr int most_links = 40;
  for (int links = 0; const auto target = target_of(path); ++links) {
    if (links == most_links) throw_write_error(path, ELOOP);
    path = (fs::path(path).parent_path() / *target).string();
  }
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::is_directory(status)) throw CannotCreate(path, "is a folder");
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    throw CannotCreate(path, "is not a regular file");
  }
  return path;
}

std::string folder_of(const std::string& path) {
  const auto parent = std::filesystem::path(path).parent_path();
  return parent.empty() ? "." : parent.string();
}

// The beginning of names of this host's temporary files for `name`; process and number follow.
std::string temporary_stem(const std::string& name) {
  char host[65] = "";
  (void)::gethostname(host, sizeof host - 1);
  std::replace(std::begin(host), std::end(host), '/', '_');  // of a name that someone has made up
  return name + temporary_mark + host + "-";
}

// The process in "4711-0"; none if the text does not look so.
std::optional<pid_t> process_in(std::string_view text) {
  pid_t process = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), process);
  const bool whole = error == std::errc() && process > 0 && end != text.data() + text.size();
  return whole && *end == '-' ? std::optional(process) : std::nullopt;
}

// Removes what processes of this host left that were killed while they wrote the file. Whether
// another host's processes still run nobody here knows.
void remove_remains(int folder, const std::string& stem) {
  for (const std::string& name : entry_names(folder).value_or(std::vector<std::string>())) {
    if (!name.starts_with(stem)) continue;
    const auto process = process_in(std::string_view(name).substr(stem.size()));
    if (process && ::kill(*process, 0) != 0 && errno == ESRCH) ::unlinkat(folder, name.c_str(), 0);
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

AtomicFile::AtomicFile(const std::string& path)
    : path_(resolve(path)),
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
    : path_(resolve(path)),
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
  remove_remains(folder_.get(), stem);
  for (int attempt = 0; !file_.is_open(); ++attempt) {
    temporary_ = stem + std::to_string(::getpid()) + "-" + std::to_string(attempt);
    file_ = Descriptor(
        ::openat(folder_.get(), temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (!file_.is_open() && errno != EEXIST && errno != EINTR) throw_write_error(path_, errno);
  }
}

AtomicFile::~AtomicFile() {
  if (file_.is_open() && !parked_in_.is_open()) {
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
  Descriptor there(::fcntl(folder.descriptor(), F_DUPFD_CLOEXEC, 0));
  if (!there.is_open() ||
      ::renameat(folder_.get(), temporary_.c_str(), there.get(), name.c_str()) != 0) {
    throw_write_error(folder.path_of(name), errno);
  }
  parked_in_ = std::move(there);
  temporary_ = name;
  sync_folder(parked_in_.get(), folder.path());
}

void AtomicFile::commit() {
  if (::fsync(file_.get()) != 0) throw_write_error(path_, errno);
  const int from = parked_in_.is_open() ? parked_in_.get() : folder_.get();
  if (::renameat(from, temporary_.c_str(), folder_.get(), name_.c_str()) != 0) {
    throw_write_error(path_, errno);
  }
  struct stat written {
  }, there{};
  const bool known = ::fstat(file_.get(), &written) == 0 &&
                     ::fstatat(folder_.get(), name_.c_str(), &there, AT_SYMLINK_NOFOLLOW) == 0;
  file_.close();
  if (known && (written.st_dev != there.st_dev || written.st_ino != there.st_ino)) {
    throw CannotCreate(path_, "was replaced by somebody else as it was written");
  }
  sync_folder(folder_.get(), folder_of(path_));
}

bool is_temporary_of(const std::string& file, const std::string& name) {
  return name.starts_with(file + temporary_mark);
}

bool is_temporary_name(const std::string& name) noexcept {
  return name.find(temporary_mark) != std::string::npos;
}

}  // namespace atl::io
