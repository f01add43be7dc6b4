#include "io/tables/text_source.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "io/input_file.hpp"
#include "io/tables/decompress.hpp"
#include "io/tables/foreign_format.hpp"
#include "src/core/error.hpp"
#include "src/core/utf8.hpp"

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

/// Bytes in memory.
class StartSource : public TextSource {
 public:
  explicit StartSource(std::string_view bytes) : left_(bytes) {}
  std::size_t read(char* into, std::size_t capacity) override {
    const std::size_t count = left_.copy(into, capacity);
    left_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view left_;
};

/// Decompressed, if the start of the bytes says so.
std::unique_ptr<TextSource> unpacked(std::unique_ptr<TextSource> bytes, std::string_view start,
                                     const std::string& name) {
  if (is_xz(start)) return decompress_xz(std::move(bytes), name);
  if (is_gzip(start)) return decompress_gzip(std::move(bytes), name);
  return bytes;
}

constexpr std::size_t first_block_bytes = std::size_t{1} << 18;

/// Reads the next block from a pipe; it is shorter only at the end.
void read_block(int descriptor, std::string& block, const std::string& name) {
  block.resize(first_block_bytes);
  std::size_t size = 0;
  while (size < block.size()) {
    const ssize_t got = ::read(descriptor, block.data() + size, block.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw IoError(name, std::string("cannot read: ") + std::strerror(errno));
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  block.resize(size);
}

/// Refuses what is no text table by its first bytes.
/// @param more  what follows must be copied before it can be read: so no other fault may wait for
/// that
void expect_table(const std::string& start, bool more, const std::string& name) {
  std::string text(std::size_t{1} << 16, '\0');
  try {
    const auto source = unpacked(std::make_unique<StartSource>(start), start, name);
    text.resize(source->read(text.data(), text.size()));
  } catch (const BadData&) {
    return;  // what is wrong with the compressed bytes is told when all of them are read
  }
  if (const auto format = foreign_format(text)) throw BadData(name, "is " + *format);
  if (!more) return;
  const std::size_t fault = std::min(text.find('\0'), first_invalid_utf8(text));
  // The last sequence may be cut off.
  if (fault + 4 > text.size()) return;
  throw BadData(name, "found " + printable(text.substr(fault, 1)) + " at byte " +
                          std::to_string(fault + 1) + ", expected a table of UTF-8 text");
}

}  // namespace

TextInput::TextInput(const std::string& path, const std::string& temporary_folder)
    : name_(path == "-" ? "standard input" : path) {
  descriptor_ = path == "-" ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) throw_unopened(name_, errno);
  // From here on the destructor does not run if we throw.
  try {
    struct stat status;
    if (::fstat(descriptor_, &status) != 0) throw IoError(name_, std::strerror(errno));
    if (S_ISDIR(status.st_mode)) throw MissingInput(name_, "is a folder, expected a file");
    const bool device = S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode);
    if (device && path != "-") throw MissingInput(name_, "is a device, expected a file");
    auto bytes = static_cast<std::uint64_t>(status.st_size);
    if (path == "-" || !S_ISREG(status.st_mode)) {
      spool(temporary_folder);
      bytes = spool_->size();
    } else {
      std::string start(std::size_t{1} << 12, '\0');
      start.resize(FileSource(descriptor_, name_).read(start.data(), start.size()));
      expect_table(start, false, name_);
    }
    if (bytes == 0) throw BadData(name_, "is empty, expected a text");
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

void TextInput::spool(const std::string& folder) {
  std::string block;
  read_block(descriptor_, block, name_);
  expect_table(block, block.size() == first_block_bytes, name_);
  spool_.emplace(folder);
  for (; !block.empty(); read_block(descriptor_, block, name_)) {
    spool_->append(block.data(), block.size());
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
  return unpacked(std::make_unique<FileSource>(descriptor, name_), {magic.data(), got}, name_);
}

}  // namespace atl::io
