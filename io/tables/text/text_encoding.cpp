#include "io/tables/text/text_encoding.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iconv.h>
#include <utility>

#include "src/core/error.hpp"
#include "src/core/text/ascii.hpp"
#include "src/core/utf8.hpp"

namespace atl::io {
namespace {

/// Converts to UTF-8.
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
  /// Converts as iconv() does. @return what it complains of, 0 for nothing
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

using namespace std::string_view_literals;

/// Letters and digits, in upper case.
std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    if (c >= 'a' && c <= 'z') plain += static_cast<char>(c - 'a' + 'A');
    if ((c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) plain += c;
  }
  return plain;
}

/// Names that others have for what iconv calls otherwise.
std::string_view other_name(std::string_view plain) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> names = {
      {{"UTF8SIG", "UTF-8"},
       {"MACROMAN", "MACINTOSH"},
       {"WINDOWS31J", "CP932"},
       {"ANSI", "CP1252"},
       {"UCS2", "UTF-16"},
       {"UCS4", "UTF-32"},
       {"UTF8", "UTF-8"}}};
  const auto* const found = std::find_if(names.begin(), names.end(),
                                         [&](const auto& entry) { return entry.first == plain; });
  return found == names.end() ? std::string_view() : found->second;
}

struct HighBytes {
  std::size_t all = 0, low = 0;  ///< low: of 0x80 to 0x9F
  std::size_t typographic = 0;   ///< quotes, dashes, the euro sign of cp1252
  std::size_t japanese = 0;      ///< the first bytes of kana and signs in Shift-JIS
  std::size_t runs = 0, even = 0;
  std::size_t in_words = 0;  ///< runs beside letters of ASCII
};

/// Letters of Western languages stand in words with those of ASCII, others in words of their own.
HighBytes high_bytes_of(std::string_view text) noexcept {
  HighBytes found;
  std::size_t run = 0;
  char before = ' ';
  const auto end_run = [&](char after) {
    if (run == 0) return;
    ++found.runs;
    if (run % 2 == 0) ++found.even;
    if (is_letter(before) || is_letter(after)) ++found.in_words;
    run = 0;
  };
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      end_run(c);
      before = c;
      continue;
    }
    ++run;
    ++found.all;
    if (byte < 0xA0) ++found.low;
    if (byte == 0x80 || byte == 0x85 || (byte >= 0x91 && byte <= 0x97)) ++found.typographic;
    if (byte >= 0x81 && byte <= 0x84) ++found.japanese;
  }
  end_run(' ');
  return found;
}

std::string likely_encoding(std::string_view text) {
  const auto reads = [](const std::string& encoding, const std::string& of) {
    return "it is likely " + encoding + " (" + of + "), which --encoding " + encoding + " reads";
  };
  const HighBytes high = high_bytes_of(text);
  if (high.japanese * 4 > high.all && high.all > 8) return reads("shift_jis", "Japanese");
  if (high.low * 4 > high.all && high.typographic < high.low) {
    return "--encoding names another one, such as cp850 (DOS), macintosh or shift_jis (Japanese)";
  }
  if (high.in_words * 2 >= high.runs) return reads("cp1252", "Western European");
  if (high.even * 10 >= high.runs * 9) {
    return "--encoding names another one, such as gb18030, big5 or euc-kr";
  }
  return "--encoding names another one, such as cp1251 (Cyrillic), cp1253 (Greek) or koi8-r";
}

/// Letters of several bytes in UTF-8, and places with bytes that belong to none.
std::pair<std::size_t, std::size_t> letters_and_faults(std::string_view text) noexcept {
  std::size_t letters = 0;
  std::size_t faults = 0;
  bool good = true;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_sequence_length(text, at);
    if (length > 1) ++letters;
    if (length == 0 && good) ++faults;
    good = length > 0;
    at += std::max<std::size_t>(length, 1);
  }
  return {letters, faults};
}

/// Is it the beginning of a letter of UTF-8?
bool cut_off(std::string_view rest) noexcept {
  std::string whole(rest);
  for (; whole.size() < 4; whole += '\x80') {
    if (utf8_sequence_length(whole, 0) > rest.size()) return true;
  }
  return utf8_sequence_length(whole, 0) > rest.size();
}

}  // namespace

bool can_decode(const std::string& encoding) {
  return Converter(encoding).works();
}

std::unique_ptr<TextSource> decoded(std::unique_ptr<TextSource> bytes, const std::string& encoding,
                                    const std::string& says, const std::string& name) {
  return std::make_unique<DecodedSource>(std::move(bytes), encoding, says, name);
}

std::string_view marked_encoding(std::string_view start) noexcept {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> marks = {
      {{byte_order_mark, "UTF-8"},
       {"\xFF\xFE\0\0"sv, "UTF-32LE"},
       {"\0\0\xFE\xFF"sv, "UTF-32BE"},
       {"\xFF\xFE"sv, "UTF-16LE"},
       {"\xFE\xFF"sv, "UTF-16BE"}}};
  const auto* const found = std::find_if(
      marks.begin(), marks.end(), [&](const auto& mark) { return start.starts_with(mark.first); });
  return found == marks.end() ? std::string_view() : found->second;
}

std::string_view wide_encoding(std::string_view start) noexcept {
  constexpr std::size_t sample = 4096;
  start = start.substr(0, sample);
  std::array<std::size_t, 4> zeros{};
  for (std::size_t i = 0; i < start.size(); ++i) zeros[i % 4] += start[i] == '\0' ? 1 : 0;
  const std::size_t fours = start.size() / 4;
  const std::size_t first = zeros[0] + zeros[2];
  const std::size_t second = zeros[1] + zeros[3];
  const auto most = [&](std::size_t count, std::size_t of) {
    return of > 0 && count * 20 >= of * 19;
  };
  if (most(zeros[2] + zeros[3], 2 * fours) && zeros[0] * 20 < fours) return "UTF-32LE";
  if (most(zeros[0] + zeros[1], 2 * fours) && zeros[3] * 20 < fours) return "UTF-32BE";
  // A text in Chinese has zeros only in digits, delimiters and line ends.
  const std::size_t pairs = start.size() / 2;
  const auto enough = [&](std::size_t count) {
    return count > 1 && count * (pairs < 40 ? 4 : 20) > pairs;
  };
  if (enough(second) && first * 20 <= second) return "UTF-16LE";
  if (enough(first) && second * 20 <= first) return "UTF-16BE";
  return {};
}

bool is_wide(std::string_view encoding) noexcept {
  return encoding.starts_with("UTF-16") || encoding.starts_with("UTF-32");
}

std::string known_encoding(const std::string& name) {
  const std::string plain = plain_name(name);
  const auto is_part = [](char c) {
    return is_letter(c) || is_digit(c) || c == '-' || c == '_' || c == '.' || c == ':';
  };
  if (!plain.empty() && std::all_of(name.begin(), name.end(), is_part)) {
    if (const std::string_view other = other_name(plain); !other.empty()) return std::string(other);
    for (const std::string_view wide :
         {"UTF-16"sv, "UTF-16LE"sv, "UTF-16BE"sv, "UTF-32"sv, "UTF-32LE"sv, "UTF-32BE"sv}) {
      if (plain == plain_name(wide)) return std::string(wide);
    }
    std::string hyphens = name;
    std::replace(hyphens.begin(), hyphens.end(), '_', '-');
    for (const std::string& way : {name, hyphens, plain}) {
      if (can_decode(way)) return way;
    }
    constexpr std::string_view windows = "WINDOWS";
    if (plain.starts_with(windows) && can_decode("CP" + plain.substr(windows.size()))) {
      return "CP" + plain.substr(windows.size());
    }
  }
  throw UsageError("--encoding: '" + printable(name) +
                   "' is not known here; latin1, cp1252, utf-16le, shift_jis and gb18030 are some, "
                   "and iconv --list has all");
}

bool agrees(std::string_view encoding, std::string_view marked) noexcept {
  return encoding == marked || (is_wide(encoding) && marked.starts_with(encoding));
}

std::string expected_utf8(std::string_view text, std::size_t fault) {
  const std::string_view wide = wide_encoding(text);
  if (wide.empty() && text.substr(fault).starts_with('\0')) return "UTF-8 text without NUL bytes";
  if (!wide.empty()) {
    return "UTF-8 text; it is likely " + std::string(wide) +
           " without a byte order mark, which --encoding " + lower(wide) + " reads";
  }
  const auto [letters, faults] = letters_and_faults(text);
  if (letters >= faults && cut_off(text.substr(fault))) {
    return "UTF-8 text; the file ends within a letter";
  }
  if (letters >= faults) return "UTF-8 text, as around it; the file is damaged or mixes encodings";
  return "UTF-8 text; " + likely_encoding(text);
}

}  // namespace atl::io
