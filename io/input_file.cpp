#include "io/input_file.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/core/error.hpp"

namespace atl::io {

InputFile::InputFile(const std::string& path) : path_(path) {
  // Non-blocking, so that a named pipe is refused rather than waited for.
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor_ < 0) throw MissingInput(path, std::strerror(errno));
  struct stat status {};
  const bool known = ::fstat(descriptor_, &status) == 0;
  if (known && S_ISREG(status.st_mode)) {
    size_ = static_cast<std::uint64_t>(status.st_size);
    return;
  }
  ::close(descriptor_);
  throw MissingInput(path, known && S_ISDIR(status.st_mode) ? "is a folder, a file was expected"
                                                            : "is not a regular file");
}

InputFile::~InputFile() {
  ::close(descriptor_);
}

void InputFile::read(std::uint64_t at, std::span<std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t got = ::pread(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw IoError(path_, std::strerror(errno));
    if (got == 0) throw IoError(path_, "became shorter while it was read");
    at += static_cast<std::uint64_t>(got);
    bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
}

}  // namespace atl::io
