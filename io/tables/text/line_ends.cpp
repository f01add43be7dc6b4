#include "io/tables/text/line_ends.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace atl::io {
namespace {

constexpr std::size_t looked_at_once = std::size_t{1} << 16;
/// A longer line is refused anyway.
constexpr std::size_t longest_line = std::size_t{64} << 20;

/// What a text's first line ends are, looked at block by block.
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

}  // namespace

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

std::unique_ptr<TextSource> with_line_feeds(std::unique_ptr<TextSource> text) {
  return std::make_unique<LineFeedSource>(std::move(text));
}

}  // namespace atl::io
