#include "io/atomic_file.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

#include "src/core/error.hpp"

namespace atl::io {
namespace {

constexpr const char* temporary_mark = ".partial-";

std::string resolve(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::is_directory(status)) throw CannotCreate(path, "is a folder");
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    throw CannotCreate(path, "is not a regular file");
  }
  if (!std::filesystem::is_symlink(std::filesystem::symlink_status(path, error))) return path;
  const auto target = std::filesystem::weakly_canonical(path, error);
  return error ? path : target.string();
}

std::string folder_of(const std::string& path) {
  const auto parent = std::filesystem::path(path).parent_path();
  return parent.empty() ? "." : parent.string();
}

// What the names of this host's temporary files for `path` begin with; process and number follow.
std::string temporary_stem(const std::string& path) {
  char host[65] = "";
  (void)::gethostname(host, sizeof host - 1);
  return path + temporary_mark + host + "-";
}

// Of "4711-0"; none if that is not what it looks like.
std::optional<pid_t> process_in(std::string_view text) {
  pid_t process = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), process);
  const bool whole = error == std::errc() && process > 0 && end != text.data() + text.size();
  return whole && *end == '-' ? std::optional(process) : std::nullopt;
}

// What processes of this host left that were killed while they wrote the file. Of another host's
// nobody here knows whether they still run.
void remove_remains(const std::string& path, const std::string& stem) {
  const std::string prefix = std::filesystem::path(stem).filename().string();
  std::vector<std::filesystem::path> remains;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder_of(path), error), end;
       !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(prefix)) continue;
    const auto process = process_in(std::string_view(name).substr(prefix.size()));
    if (process && ::kill(*process, 0) != 0 && errno == ESRCH) remains.push_back(entry->path());
  }
  for (const auto& leftover : remains) std::filesystem::remove(leftover, error);
}

// Makes a rename last. Some file systems cannot sync a folder; the rename itself has succeeded.
void sync_folder(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  const int error_number = ::fsync(descriptor) == 0 ? 0 : errno;
  ::close(descriptor);
  if (error_number == EIO) throw IoError(folder, std::strerror(error_number));
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
      throw CannotCreate(path, problem);
    default:
      throw IoError(path, problem);
  }
}

AtomicFile::AtomicFile(const std::string& path) : path_(resolve(path)) {
  const std::string stem = temporary_stem(path_);
  remove_remains(path_, stem);
  for (int attempt = 0; descriptor_ < 0; ++attempt) {
    temporary_ = stem + std::to_string(::getpid()) + "-" + std::to_string(attempt);
    descriptor_ = ::open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0 && errno != EEXIST && errno != EINTR) throw_write_error(path, errno);
  }
}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::uint64_t at, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written =
        ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw_write_error(path_, errno);
    at += static_cast<std::uint64_t>(written);
    size_ = std::max(size_, at);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void AtomicFile::commit() {
  if (::fsync(descriptor_) != 0) throw_write_error(path_, errno);
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) throw_write_error(path_, errno);
  ::close(std::exchange(descriptor_, -1));
  sync_folder(folder_of(path_));
}

bool is_temporary_of(const std::string& file, const std::string& name) {
  return name.starts_with(file + temporary_mark);
}

bool is_temporary_name(const std::string& name) noexcept {
  return name.find(temporary_mark) != std::string::npos;
}

}  // namespace atl::io
