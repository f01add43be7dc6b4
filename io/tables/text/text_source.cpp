#include "io/tables/text/text_source.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "io/tables/text/foreign_format.hpp"
#include "io/tables/text/packings.hpp"
#include "io/tables/text/text_encoding.hpp"
#include "src/core/error.hpp"
#include "src/core/files/input_file.hpp"
#include "src/core/utf8.hpp"

namespace atl::io {
namespace {

constexpr std::size_t looked_at_once = std::size_t{1} << 16;
/// A longer line is refused anyway.
constexpr std::size_t longest_line = std::size_t{64} << 20;

/// Finds a text's first line ends, block by block.
class FirstLineEnds {
 public:
  /// False once it is decided.
  bool look_at(std::string_view block) {
    for (const char c : block) {
      if (after_return_) {
        returns_ = c != '\n';
        if (!returns_) return false;
      }
      after_return_ = false;
      if (c == '"') {
        quoted_ = !quoted_;
      } else if (c == '\n') {
        feeds_ = true;
        if (!quoted_) {
          returns_ = false;
          return false;
        }
      } else if (c == '\r' && !quoted_) {
        after_return_ = true;
      }
    }
    // A quote that is none, such as that of inches, would make all of a text be read.
    return !returns_ && !feeds_;
  }
  /// @param ended  is the text at its end?
  bool returns(bool ended) const noexcept { return returns_ || (ended && after_return_); }

 private:
  bool quoted_ = false;
  bool after_return_ = false;
  bool returns_ = false;
  bool feeds_ = false;
};

/// Fills the block, but at the end of the text.
std::size_t read_block(TextSource& text, std::string& block) {
  std::size_t size = 0;
  while (size < block.size()) {
    const std::size_t got = text.read(block.data() + size, block.size() - size);
    if (got == 0) break;
    size += got;
  }
  return size;
}

class LineFeedSource : public TextSource {
 public:
  explicit LineFeedSource(std::unique_ptr<TextSource> text) : text_(std::move(text)) {}

  std::size_t read(char* into, std::size_t capacity) override {
    std::size_t kept = 0;
    while (kept == 0) {
      const std::size_t got = text_->read(into, capacity);
      if (got == 0) return 0;
      for (std::size_t i = 0; i < got; ++i) {
        const char c = into[i];
        if (c != '\n' || !after_return_) into[kept++] = c == '\r' ? '\n' : c;
        after_return_ = c == '\r';
      }
    }
    return kept;
  }

 private:
  std::unique_ptr<TextSource> text_;
  bool after_return_ = false;
};

/// Does the first line end in a carriage return alone, as old Macintoshes and some spreadsheets
/// write, and no line near it in a line feed, other than within double quotes?
/// @throws as TextSource::read
bool ends_in_returns(TextSource& text) {
  FirstLineEnds ends;
  std::string block(looked_at_once, '\0');
  for (std::size_t size = 0; size < longest_line;) {
    const std::size_t got = read_block(text, block);
    size += got;
    if (got == 0) return ends.returns(true);
    if (!ends.look_at({block.data(), got})) break;
  }
  return ends.returns(false);
}

/// The text with a line feed for each carriage return, and for each pair of both.
std::unique_ptr<TextSource> with_line_feeds(std::unique_ptr<TextSource> text) {
  return std::make_unique<LineFeedSource>(std::move(text));
}

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

constexpr std::size_t first_block_bytes = std::size_t{1} << 18;  ///< of a pipe
constexpr std::size_t judged_bytes = std::size_t{1} << 16;

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

/// For a file that says that it is empty, as the kernel's own files do, too: reading one of these
/// may fail, or wait for ever, which it must not.
[[noreturn]] void throw_unread(int file, const std::string& name, const std::string& empty) {
  char byte = 0;
  (void)::fcntl(file, F_SETFL, O_NONBLOCK);
  if (::pread(file, &byte, 1, 0) < 0 && errno != EAGAIN && errno != ESPIPE) {
    throw IoError(name, std::string("cannot read: ") + std::strerror(errno));
  }
  throw BadData(name, empty);
}

/// The beginning of a text. What is wrong behind it is told when all of the text is read.
std::string start_of_text(std::unique_ptr<TextSource> text) {
  std::string start(judged_bytes, '\0');
  std::size_t size = 0;
  try {
    while (size < start.size()) {
      const std::size_t got = text->read(start.data() + size, start.size() - size);
      if (got == 0) break;
      size += got;
    }
  } catch (const BadData&) {  // damaged, or the beginning ends within a letter
  }
  start.resize(size);
  return start;
}

/// Is the beginning of a text in UTF-8? It may be cut off within a letter.
bool is_utf8(std::string_view start) noexcept {
  const std::size_t fault = first_invalid_utf8(start);
  return fault == start.size() || (start.size() == judged_bytes && fault + 4 > start.size());
}

/// @param start  the beginning of what is in UTF-8
void refuse_faults(std::string_view start, const std::string& name) {
  const std::size_t fault = std::min(start.find('\0'), first_invalid_utf8(start));
  // The last sequence may be cut off.
  if (fault + 4 > start.size()) return;
  const std::string_view before = start.substr(0, fault);
  const auto lines = static_cast<std::uint64_t>(std::count(before.begin(), before.end(), '\n'));
  const std::size_t line = before.rfind('\n') + 1;  // 0 in the first one
  throw BadCell(name, lines + 1, fault - line + 1, std::string(start.substr(fault, 1)),
                expected_utf8(start, fault));
}

}  // namespace

TextInput::TextInput(const std::string& path, const std::string& temporary_folder,
                     const std::string& encoding, TextContent content)
    : name_(path == "-" ? "standard input" : path), encoding_given_(encoding) {
  if (!encoding.empty()) encoding_ = known_encoding(encoding);
  descriptor_ = path == "-" ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) throw_unopened(name_, errno);
  // From here on the destructor does not run if we throw.
  try {
    struct stat status;
    if (::fstat(descriptor_, &status) != 0) throw IoError(name_, std::strerror(errno));
    if (S_ISDIR(status.st_mode)) throw MissingInput(name_, "is a folder, expected a file");
    const bool device = S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode);
    if (device && path != "-") throw MissingInput(name_, "is a device, expected a file");
    const std::string empty = "is empty, expected a text";
    if (path == "-" || !S_ISREG(status.st_mode)) {
      spool(temporary_folder, content);
      if (spool_->size() == 0) throw BadData(name_, empty);
    } else {
      if (status.st_size == 0) throw_unread(descriptor_, name_, empty);
      std::string start(judged_bytes, '\0');
      start.resize(FileSource(descriptor_, name_).read(start.data(), start.size()));
      judge(start, false, content);
    }
    find_line_ends();
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

void TextInput::spool(const std::string& folder, TextContent content) {
  std::string block;
  read_block(descriptor_, block, name_);
  judge(block, block.size() == first_block_bytes, content);
  spool_.emplace(folder);
  for (; !block.empty(); read_block(descriptor_, block, name_)) {
    spool_->append(block.data(), block.size());
  }
}

/// Refuses what is no text table by its first bytes, and settles the encoding.
/// @param more  what follows must be copied before it can be read: so no other fault may wait for
/// that
void TextInput::judge(const std::string& start, bool more, TextContent content) {
  const std::string bytes =
      start_of_text(unpacked(std::make_unique<StartSource>(start), start, name_));
  settle_encoding(bytes);
  const std::string text =
      encoding_.empty() ? bytes : start_of_text(in_utf8(std::make_unique<StartSource>(bytes)));
  if (const auto format = foreign_format(bytes, text, content == TextContent::table_or_json)) {
    throw BadData(name_, "is " + *format);
  }
  // Bytes of what is no UTF-8 may look like line ends to a reader.
  const bool wide = !wide_encoding(bytes).empty();
  if (encoding_.empty() && (more || wide)) refuse_faults(bytes, name_);
}

/// @param text  its beginning, unpacked
void TextInput::settle_encoding(std::string_view text) {
  const std::string_view marked = marked_encoding(text);
  if (!marked.empty()) {
    if (!encoding_.empty() && !agrees(encoding_, marked)) {
      throw BadData(name_, "begins with the byte order mark of " + std::string(marked) +
                               ", but --encoding says " + printable(encoding_given_));
    }
    encoding_ = marked;
    marked_ = true;
  } else if (is_wide(encoding_) && !text.empty()) {
    const std::string_view found = wide_encoding(text);
    if (text.find('\0') == std::string_view::npos) {
      throw BadData(name_, "has no zero bytes, as text in " + encoding_ +
                               " has; expected --encoding as the text is, or none for UTF-8");
    }
    if (!found.empty() && !agrees(encoding_, found)) {
      throw BadData(name_, "looks like " + std::string(found) + ", but --encoding says " +
                               printable(encoding_given_));
    }
    // UTF-16 alone does not say which byte is first.
    if (encoding_ == "UTF-16" || encoding_ == "UTF-32") {
      encoding_ = found.empty() ? encoding_ + "LE" : std::string(found);
    }
  } else if (!encoding_.empty() && encoding_ != "UTF-8") {
    const bool plain = std::all_of(text.begin(), text.end(),
                                   [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    is_utf8_too_ = !plain && is_utf8(text);
  }
  if (encoding_ == "UTF-8") encoding_.clear();
}

/// Finds the line ends. What is wrong with the text is told when all of it is read.
void TextInput::find_line_ends() {
  try {
    returns_ = ends_in_returns(*open_as_it_is());
  } catch (const BadData&) {
  }
}

void TextInput::tell(const Report& report) const {
  if (returns_) {
    report(Severity::info, name_ + ": lines end in carriage returns alone (CR), read as lines");
  }
  if (is_utf8_too_) {
    report(Severity::warning,
           name_ + ": is UTF-8 text, too; is --encoding " + printable(encoding_given_) + " right?");
  }
}

TextInput::~TextInput() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

TextInput::TextInput(TextInput&& other) noexcept
    : name_(std::move(other.name_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      spool_(std::move(other.spool_)),
      encoding_given_(std::move(other.encoding_given_)),
      encoding_(std::move(other.encoding_)),
      marked_(other.marked_),
      returns_(other.returns_),
      is_utf8_too_(other.is_utf8_too_) {}

std::unique_ptr<TextSource> TextInput::in_utf8(std::unique_ptr<TextSource> bytes) const {
  if (encoding_.empty()) return bytes;
  return decoded(std::move(bytes), encoding_, marked_ ? "its byte order mark" : "--encoding",
                 name_);
}

/// Opens the text without putting line feeds for other line ends.
std::unique_ptr<TextSource> TextInput::open_as_it_is() const {
  const int descriptor = spool_ ? spool_->descriptor() : descriptor_;
  std::array<char, packing_magic_bytes> magic{};
  const std::size_t got = FileSource(descriptor, name_).read(magic.data(), magic.size());
  return in_utf8(
      unpacked(std::make_unique<FileSource>(descriptor, name_), {magic.data(), got}, name_));
}

std::unique_ptr<TextSource> TextInput::open() const {
  return returns_ ? with_line_feeds(open_as_it_is()) : open_as_it_is();
}

}  // namespace atl::io
