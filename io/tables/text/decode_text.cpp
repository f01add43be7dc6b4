#include "io/tables/text/decode_text.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iconv.h>
#include <string_view>
#include <utility>

#include "src/core/error.hpp"

namespace atl::io {
namespace {

/// To UTF-8.
class Converter {
 public:
  explicit Converter(const std::string& encoding)
      : descriptor_(::iconv_open("UTF-8", encoding.c_str())) {}
  ~Converter() {
    if (works()) ::iconv_close(descriptor_);
  }
  Converter(const Converter&) = delete;
  Converter& operator=(const Converter&) = delete;

  bool works() const noexcept { return descriptor_ != std::bit_cast<iconv_t>(std::intptr_t{-1}); }
  /// As iconv(): what it complains of, 0 for nothing.
  int convert(char** from, std::size_t* left, char** to, std::size_t* room) noexcept {
    const std::size_t result = ::iconv(descriptor_, from, left, to, room);
    return result == static_cast<std::size_t>(-1) ? errno : 0;
  }

 private:
  iconv_t descriptor_;
};

class DecodedSource : public TextSource {
 public:
  DecodedSource(std::unique_ptr<TextSource> bytes, const std::string& encoding,
                const std::string& says, std::string name)
      : bytes_(std::move(bytes)),
        expected_("text in " + encoding + ", as " + says + " says"),
        name_(std::move(name)),
        converter_(encoding) {
    if (!converter_.works()) {
      throw BadData(name_, "is " + expected_ + ", which iconv cannot convert on this system");
    }
  }

  std::size_t read(char* into, std::size_t capacity) override {
    while (text_.empty() && !ended_) convert();
    const std::size_t count = text_.copy(into, capacity);
    text_.remove_prefix(count);
    return count;
  }

 private:
  /// Some more text, or its end.
  void convert() {
    if (!wants_bytes_ || refill()) {
      char* from = packed_.data();
      std::size_t left = size_;
      const int problem = run(&from, &left);
      std::memmove(packed_.data(), from, left);
      size_ = left;
      // EINVAL: the rest is the beginning of a letter.
      wants_bytes_ = problem == 0 || problem == EINVAL;
      if (problem == EILSEQ) fault_ = true;
    } else if (size_ > 0) {
      fault_ = true;
    } else {
      run(nullptr, nullptr);  // what is kept back for letters made of several
      ended_ = true;
    }
    if (fault_) fail();
  }

  bool refill() {
    const std::size_t got = bytes_->read(packed_.data() + size_, packed_.size() - size_);
    size_ += got;
    return got > 0;
  }

  int run(char** from, std::size_t* left) {
    char* to = converted_.data();
    std::size_t room = converted_.size();
    const int problem = converter_.convert(from, left, &to, &room);
    text_ = {converted_.data(), converted_.size() - room};
    count_lines();
    return problem;
  }

  /// A carriage return ends a line, too, if no line feed follows.
  void count_lines() {
    for (const char c : text_) {
      if (after_return_ && c != '\n') begin_line();
      after_return_ = c == '\r';
      ++column_;
      if (c == '\n') begin_line();
    }
  }
  void begin_line() {
    ++line_;
    column_ = 1;
  }

  [[noreturn]] void fail() const {
    constexpr std::size_t shown = 4;
    throw BadCell(name_, line_, column_, {packed_.data(), std::min(size_, shown)}, expected_);
  }

  std::unique_ptr<TextSource> bytes_;
  std::string expected_;
  std::string name_;
  Converter converter_;
  std::array<char, std::size_t{1} << 16> packed_;
  std::size_t size_ = 0;  ///< of packed_
  std::array<char, std::size_t{1} << 18> converted_;
  std::string_view text_;  ///< of converted_, not yet given away
  std::uint64_t line_ = 1;
  std::uint64_t column_ = 1;
  bool after_return_ = false;
  bool wants_bytes_ = true;
  bool fault_ = false;
  bool ended_ = false;
};

}  // namespace

bool can_decode(const std::string& encoding) {
  return Converter(encoding).works();
}

std::unique_ptr<TextSource> decoded(std::unique_ptr<TextSource> bytes, const std::string& encoding,
                                    const std::string& says, const std::string& name) {
  return std::make_unique<DecodedSource>(std::move(bytes), encoding, says, name);
}

}  // namespace atl::io
