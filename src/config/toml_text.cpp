#include "src/config/toml_text.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "src/core/utf8.hpp"

namespace atl {
namespace {

/// Walks over a TOML text, past quotes and comments.
class Checker {
 public:
  Checker(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  void run() {
    if (text_.substr(0, 3) == "\xEF\xBB\xBF") at_ = line_begin_ = 3;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        end_line();
      } else if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == '"' || c == '\'') {
        skip_string(c);
      } else if (c == '[' && blank_line_ && open_.empty()) {
        check_header();
      } else {
        if (static_cast<unsigned char>(c) >= 0x80) fail("quotes around all but ASCII");
        if (c == '[' || c == '{') open(c);
        if (c == ']' || c == '}') close(c);
        if (c == '.' && !in_value_ && ++dots_ == deepest) fail(not_as_deep);
        if (c == ',') in_value_ = !open_.empty() && open_.back() == '[';
        if (c == ',') dots_ = 0;
        if (c == '=') begin_value();
        if (c == ' ' && in_value_) check_blank();
        blank_line_ = blank_line_ && (c == ' ' || c == '\t');
        ++at_;
      }
    }
  }

 private:
  // toml++ takes what is nested apart by recursion.
  static constexpr std::size_t deepest = 32;
  static constexpr const char* not_as_deep = "at most 32 levels of keys and brackets";

  void end_line() {
    ++line_;
    line_begin_ = ++at_;
    blank_line_ = true;
    dots_ = 0;
    if (open_.empty()) in_value_ = false;
  }

  /// toml++ looks ahead over a whole word to see what it is, and into quotes if they are part of
  /// it.
  bool within_word(std::string_view before) const {
    return at_ > line_begin_ && before.find(text_[at_ - 1]) == std::string_view::npos;
  }

  void begin_value() {
    if (in_value_) fail("no equals sign within a value");
    in_value_ = true;
    dots_ = 0;
  }

  /// Behind a date and a blank toml++ takes a digit for a time of day, and reads on behind it.
  void check_blank() const {
    const std::size_t begin = text_.find_last_of(" \t=[,\n\v\f\r", at_ - 1) + 1;
    std::string word(text_.substr(begin, at_ - begin));
    std::erase(word, '_');
    const auto digit = [&](std::size_t at) {
      return at < text_.size() && text_[at] >= '0' && text_[at] <= '9';
    };
    const bool date = word.size() == 10 && word[4] == '-' && word[7] == '-';
    if (date && digit(at_ + 1) && !digit(at_ + 2)) fail("a time of day behind the date");
  }

  /// Past the closing quotes, or to the end of the line that lacks them.
  void skip_string(char quote) {
    if (within_word(in_value_ ? " \t=[," : " \t[{,.")) fail("no quote within a word");
    blank_line_ = false;
    const std::string triple(3, quote);
    const bool long_string = text_.substr(at_, 3) == triple;
    at_ += long_string ? 3 : 1;
    while (at_ < text_.size()) {
      if (text_[at_] == '\n') {
        if (!long_string) return;
        end_line();
        blank_line_ = false;
      } else if (text_[at_] == '\\' && quote == '"') {
        skip_escape();
      } else if (long_string ? text_.substr(at_, 3) == triple : text_[at_] == quote) {
        at_ += long_string ? 3 : 1;
        return;
      } else {
        ++at_;
      }
    }
  }

  /// Past the backslash and what it escapes, unless that is the end of the line.
  void skip_escape() {
    // Behind a backslash at the end of a line blanks and line ends do not count.
    const std::size_t next = text_.find_first_not_of(" \t\n\v\f\r", at_ + 1);
    if (next != std::string_view::npos && static_cast<unsigned char>(text_[next]) >= 0x80) {
      fail("an escape of TOML");
    }
    ++at_;
    if (at_ < text_.size() && text_[at_] != '\n') ++at_;
  }

  void open(char bracket) {
    if (within_word(" \t=[,")) fail("no bracket within a word");
    if (open_.size() == deepest) fail(not_as_deep);
    open_.push_back(bracket);
    dots_ = 0;
    in_value_ = bracket == '[';
  }

  void close(char bracket) {
    const bool matches = !open_.empty() && open_.back() == (bracket == ']' ? '[' : '{');
    // A table header's bracket closes what check_header has taken.
    if (bracket == '}' && !matches) fail("no closing brace without an opening one");
    if (matches) open_.pop_back();
    in_value_ = true;
  }

  void check_header() {
    constexpr std::string_view key_start =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-\"'";
    blank_line_ = false;
    at_ += text_.substr(at_, 2) == "[[" ? 2 : 1;
    at_ = std::min(text_.find_first_not_of(" \t", at_), text_.size());
    if (at_ == text_.size() || key_start.find(text_[at_]) == std::string_view::npos) {
      fail("a name after the bracket");
    }
  }

  [[noreturn]] void fail(const std::string& expected) const {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    throw BadCell(file_, line_, at_ - line_begin_ + 1,
                  std::string(text_.substr(at_, std::min<std::size_t>(end - at_, 100))), expected);
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::size_t line_begin_ = 0;
  std::uint64_t line_ = 1;
  bool blank_line_ = true;  ///< nothing but blanks so far
  bool in_value_ = false;   ///< behind an equals sign or in an array
  std::vector<char> open_;  ///< brackets and braces of values
  std::size_t dots_ = 0;    ///< of the key so far
};

}  // namespace

toml::table parse_toml(std::string_view text, const std::string& file) {
  Checker(text, file).run();
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    throw BadToml(file, error.source(), std::string(error.description()));
  }
}

std::string toml_string(std::string_view text, TomlLines lines) {
  static const char* const digits = "0123456789ABCDEF";
  const bool several = lines == TomlLines::several;
  std::string out = several ? "\"\"\"\n" : "\"";
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    const std::size_t length = utf8_sequence_length(text, at);
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (c == '\n') {
      out += several ? "\n" : "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += {'\\', 'u', '0', '0', digits[c >> 4], digits[c & 15]};
    } else if (length == 0) {
      out += c;
    } else {
      out += printable(text.substr(at, length));
    }
    at += std::max<std::size_t>(1, length);
  }
  return out + (several ? "\"\"\"" : "\"");
}

}  // namespace atl
