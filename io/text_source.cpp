#include "io/text_source.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "io/decompress.hpp"
#include "src/core/error.hpp"

namespace atl::io {
namespace {

/// A regular file by its descriptor; has a position of its own.
class FileSource : public TextSource {
 public:
  FileSource(int descriptor, const std::string& name) : descriptor_(descriptor), name_(name) {}
  std::size_t read(char* into, std::size_t capacity) override {
    for (;;) {
      const ssize_t got = ::pread(descriptor_, into, capacity, offset_);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) throw IoError(name_, std::string("cannot read: ") + std::strerror(errno));
      offset_ += got;
      return static_cast<std::size_t>(got);
    }
  }

 private:
  int descriptor_;
  std::string name_;
  off_t offset_ = 0;
};

void copy_all(int from, TemporaryFile& to, const std::string& name) {
  std::vector<char> block(std::size_t{1} << 18);
  for (;;) {
    const ssize_t got = ::read(from, block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw IoError(name, std::string("cannot read: ") + std::strerror(errno));
    if (got == 0) return;
    to.append(block.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace

TextInput::TextInput(const std::string& path, const std::string& temporary_folder)
    : name_(path == "-" ? "standard input" : path) {
  descriptor_ = path == "-" ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) throw MissingInput(name_, std::strerror(errno));
  // From here on the destructor does not run if we throw.
  try {
    struct stat status;
    if (::fstat(descriptor_, &status) != 0) throw IoError(name_, std::strerror(errno));
    if (S_ISDIR(status.st_mode)) throw MissingInput(name_, "is a folder, expected a file");
    auto bytes = static_cast<std::uint64_t>(status.st_size);
    if (path == "-" || !S_ISREG(status.st_mode)) {
      spool_.emplace(temporary_folder);
      copy_all(descriptor_, *spool_, name_);
      bytes = spool_->size();
    }
    if (bytes == 0) throw BadData(name_, "is empty, expected a table");
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

TextInput::~TextInput() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

TextInput::TextInput(TextInput&& other) noexcept
    : name_(std::move(other.name_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      spool_(std::move(other.spool_)) {}

std::unique_ptr<TextSource> TextInput::open() const {
  const int descriptor = spool_ ? spool_->descriptor() : descriptor_;
  std::array<char, 6> magic{};
  const std::size_t got = FileSource(descriptor, name_).read(magic.data(), magic.size());
  const std::string_view start(magic.data(), got);
  auto file = std::make_unique<FileSource>(descriptor, name_);
  if (is_xz(start)) return decompress_xz(std::move(file), name_);
  if (is_gzip(start)) return decompress_gzip(std::move(file), name_);
  return file;
}

}  // namespace atl::io
