#include "src/core/files/temporary_file.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

#include "src/core/error.hpp"
#include "src/core/files/atomic_file.hpp"

namespace atl::io {
namespace {

constexpr std::string_view name_pattern = ".atoll-spool-XXXXXX";

}  // namespace

TemporaryFile::TemporaryFile(const std::string& folder) : folder_(folder.empty() ? "." : folder) {
  descriptor_ = ::open(folder_.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor_ >= 0) return;
  std::string path = folder_ + "/" + std::string(name_pattern);
  descriptor_ = ::mkostemp(path.data(), O_CLOEXEC);
  if (descriptor_ < 0) {
    throw CannotCreate(folder_, std::string("no temporary file here: ") + std::strerror(errno));
  }
  ::unlink(path.c_str());
}

TemporaryFile::~TemporaryFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

TemporaryFile::TemporaryFile(TemporaryFile&& other) noexcept
    : folder_(std::move(other.folder_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      size_(other.size_) {}

void TemporaryFile::append(const char* bytes, std::size_t count) {
  write_at(descriptor_, size_, std::as_bytes(std::span(bytes, count)),
           folder_ + ": a temporary file");
  size_ += count;
}

void TemporaryFile::read(std::uint64_t offset, char* into, std::size_t count) const {
  while (count > 0) {
    const ssize_t got = ::pread(descriptor_, into, count, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      throw IoError(folder_, std::string("cannot read temporary file: ") +
                                 (got == 0 ? "it ends early" : std::strerror(errno)));
    }
    into += got;
    offset += static_cast<std::uint64_t>(got);
    count -= static_cast<std::size_t>(got);
  }
}

bool is_spool_name(std::string_view name) noexcept {
  const auto marked = name_pattern.size() - 6;  // what mkostemp fills in
  return name.size() == name_pattern.size() &&
         name.substr(0, marked) == name_pattern.substr(0, marked);
}

}  // namespace atl::io
