#include "src/core/files/input_file.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

#include "src/core/error.hpp"
#include "src/core/files/folder.hpp"

namespace atl::io {

void throw_unopened(const std::string& path, int error_number) {
  switch (error_number) {
    case EMFILE:
    case ENFILE:
      throw IoError(path, std::string(std::strerror(error_number)) + " (ulimit -n)");
    case EIO:
    case ENOMEM:
    case ESTALE:
      throw IoError(path, std::strerror(error_number));
    default:
      throw MissingInput(path, std::strerror(error_number));
  }
}

InputFile::InputFile(const std::string& path)
    : path_(path),
      // Non-blocking, so that a named pipe is refused rather than waited for.
      descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  if (!descriptor_.is_open()) throw_unopened(path, errno);
  expect_regular();
}

InputFile::InputFile(const Folder& folder, const std::string& name)
    : path_(folder.path_of(name)), descriptor_(folder.open_to_read(name)) {
  expect_regular();
}

void InputFile::expect_regular() {
  struct stat status {};
  const bool known = ::fstat(descriptor(), &status) == 0;
  if (known && S_ISREG(status.st_mode)) {
    size_ = static_cast<std::uint64_t>(status.st_size);
    const std::uint64_t stored = static_cast<std::uint64_t>(status.st_blocks) * 512;
    sparse_ = size_ > std::uint64_t{1} << 26 && stored < size_ / 2;
    return;
  }
  throw MissingInput(path_, known && S_ISDIR(status.st_mode) ? "is a folder, a file was expected"
                                                             : "is not a regular file");
}

FileState InputFile::state() const {
  struct stat status {};
  if (::fstat(descriptor(), &status) != 0) throw IoError(path_, std::strerror(errno));
  const auto nanoseconds = [](const timespec& time) {
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
  };
  return {status.st_dev, status.st_ino, static_cast<std::uint64_t>(status.st_size),
          nanoseconds(status.st_mtim), nanoseconds(status.st_ctim)};
}

void InputFile::read(std::uint64_t at, std::span<std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t got = ::pread(descriptor(), bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw IoError(path_, std::strerror(errno));
    if (got == 0) throw IoError(path_, "became shorter while it was read");
    at += static_cast<std::uint64_t>(got);
    bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
}

InputFile open_input(const std::string& path, const Folder* folder) {
  const std::string name = path.substr(path.rfind('/') + 1);
  if (folder != nullptr && path == folder->path_of(name)) return {*folder, name};
  return InputFile(path);
}

void refuse_to_overwrite(const std::string& input, const std::string& output) {
  std::error_code absent;
  if (input != "-" && std::filesystem::equivalent(input, output, absent))
    throw UsageError("output " + printable(output, 200) + " is an input, too");
}

}  // namespace atl::io
