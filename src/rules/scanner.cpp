#include "src/rules/scanner.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "src/core/error.hpp"
#include "src/core/utf8.hpp"

namespace atl {
namespace {

bool is_blank(char c) noexcept {
  const auto byte = static_cast<unsigned char>(c);
  return byte <= 0x20 || byte == 0x7F;
}

bool ends_run(char c, std::string_view ends) noexcept {
  return is_blank(c) || std::string_view("\"()[],").find(c) != std::string_view::npos ||
         ends.find(c) != std::string_view::npos;
}

struct Escape {
  char letter, meaning;
};
constexpr std::array<Escape, 5> escapes{
    {{'"', '"'}, {'\\', '\\'}, {'n', '\n'}, {'r', '\r'}, {'t', '\t'}}};

/// The escape of a character that has no letter of its own: its code point up to U+FFFF.
constexpr std::size_t hex_digits = 4;

/// The code point of four hexadecimal digits that are no half of a surrogate pair.
std::optional<char32_t> code_point(std::string_view digits) noexcept {
  std::uint16_t code = 0;
  const char* const end = digits.data() + digits.size();
  const auto read = std::from_chars(digits.data(), end, code, 16);
  if (digits.size() != hex_digits || read.ec != std::errc() || read.ptr != end ||
      (code >= 0xD800 && code <= 0xDFFF))
    return std::nullopt;
  return code;
}

/// @return  offset of the first character that printable() would escape, or text.size()
std::size_t first_hidden(std::string_view text) noexcept {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t shown = shown_sequence_length(text, at);
    if (shown == 0 && utf8_sequence_length(text, at) > 0) return at;
    at += std::max<std::size_t>(1, shown);
  }
  return at;
}

/// Up to the next quote, or to the end.
std::size_t quoted_length(std::string_view text) noexcept {
  const std::size_t closing = text.find('"', 1);
  return closing == std::string_view::npos ? text.size() : closing + 1;
}

}  // namespace

std::size_t Scanner::position() noexcept {
  while (at_ < text_.size()) {
    if (is_blank(text_[at_])) {
      ++at_;
    } else if (comments_ == Comments::hash && text_[at_] == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else {
      break;
    }
  }
  return at_;
}

bool Scanner::accept(std::string_view symbol) noexcept {
  if (text_.substr(position(), symbol.size()) != symbol) return false;
  at_ += symbol.size();
  return true;
}

std::string_view Scanner::peek_run(std::string_view ends) noexcept {
  const std::size_t start = position();
  std::size_t end = start;
  while (end < text_.size() && !ends_run(text_[end], ends)) ++end;
  return text_.substr(start, end - start);
}

bool Scanner::accept_keyword(std::string_view keyword) noexcept {
  if (peek_run(relation_characters) != keyword) return false;
  at_ += keyword.size();
  return true;
}

std::string Scanner::name_or_value(std::string_view ends, const std::string& what) {
  if (peek() == '"') return quoted();
  const std::string_view run = peek_run(ends);
  if (run.empty()) fail(position(), what);
  if (is_keyword(run)) fail(position(), what + " (a keyword needs double quotes)");
  at_ += run.size();
  return std::string(run);
}

std::string Scanner::quoted() {
  const std::size_t start = at_++;
  std::string content;
  for (; at_ < text_.size(); ++at_) {
    if (text_[at_] == '"') {
      ++at_;
      return content;
    }
    if (text_[at_] != '\\') {
      content += text_[at_];
      continue;
    }
    const char letter = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    if (letter == 'u') {
      const auto code = code_point(text_.substr(at_ + 2, hex_digits));
      if (!code) fail(at_, "four hexadecimal digits of a character after \\u");
      append_utf8(content, *code);
      at_ += 1 + hex_digits;
      continue;
    }
    const auto* const escape = std::find_if(escapes.begin(), escapes.end(),
                                            [&](const Escape& e) { return e.letter == letter; });
    if (escape == escapes.end()) fail(at_, "one of \\\" \\\\ \\n \\r \\t or \\uNNNN within quotes");
    content += escape->meaning;
    ++at_;
  }
  fail(start, "a closing double quote");
}

TextPlace Scanner::place(std::size_t position) noexcept {
  if (position < passed_) {
    line_ = 1;
    line_begin_ = passed_ = 0;
  }
  const std::string_view before = text_.substr(0, position);
  for (std::size_t end; (end = before.find('\n', passed_)) != std::string_view::npos;) {
    ++line_;
    line_begin_ = passed_ = end + 1;
  }
  passed_ = position;
  return {line_, position - line_begin_ + 1};
}

void Scanner::fail(std::size_t position, const std::string& expected) {
  at_ = position;
  std::string found = "end of text";
  if (position < text_.size()) {
    found = peek_run("");
    if (text_[position] == '"')
      found = text_.substr(position, quoted_length(text_.substr(position)));
    else if (found.empty())
      found = text_[position];
  }
  const TextPlace where = place(position);
  throw BadCell(source_, where.line, where.column, found, expected);
}

void expect_known_line_ends(std::string_view text, const std::string& source) {
  for (std::size_t at = 0; (at = text.find('\r', at)) != std::string_view::npos; ++at) {
    if (text.substr(at + 1, 1) == "\n") continue;
    const TextPlace where = Scanner(text, source, Scanner::Comments::none).place(at);
    throw BadCell(source, where.line, where.column, "\r", "line ends of LF or CR LF");
  }
}

bool is_keyword(std::string_view word) noexcept {
  static constexpr std::array<std::string_view, 6> keywords = {"AND", "OR",  "NOT",
                                                               "in",  "not", "=>"};
  return std::find(keywords.begin(), keywords.end(), word) != keywords.end();
}

namespace {

/// Words of decision lists, which are read without quotes, too, but hard for people to tell apart.
bool is_list_word(std::string_view word) noexcept {
  return word == "if" || word == "then" || word == "else";
}

}  // namespace

std::string quoted_if_needed(const std::string& text, std::string_view ends) {
  const bool one_run = !text.empty() && std::none_of(text.begin(), text.end(),
                                                     [&](char c) { return ends_run(c, ends); });
  if (one_run && !is_keyword(text) && !is_list_word(text) && first_hidden(text) == text.size())
    return text;
  static const char* const digits = "0123456789abcdef";
  std::string quoted = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_sequence_length(text, at);
    const auto* const escape = std::find_if(escapes.begin(), escapes.end(),
                                            [&](const Escape& e) { return e.meaning == text[at]; });
    if (escape != escapes.end()) {
      (quoted += '\\') += escape->letter;
    } else if (length > 0 && shown_sequence_length(text, at) == 0) {
      const char32_t code = code_point_at(text, at);
      quoted += "\\u";
      for (int shift = 12; shift >= 0; shift -= 4) quoted += digits[code >> shift & 15];
    } else {
      quoted.append(text, at, std::max<std::size_t>(1, length));
    }
    at += std::max<std::size_t>(1, length);
  }
  return quoted + '"';
}

namespace {

class ConnectiveReader {
 public:
  ConnectiveReader(Scanner& scanner, const std::function<void()>& operand)
      : scanner_(scanner), operand_(operand) {}

  std::vector<Op> read() {
    disjunction();
    return std::move(program_);
  }

 private:
  static constexpr int deepest = 200;  // of NOT and parentheses, far from the end of the stack

  void disjunction() {
    conjunction();
    while (scanner_.accept_keyword("OR")) {
      conjunction();
      program_.push_back(Op::disjunction);
    }
  }

  void conjunction() {
    factor();
    while (scanner_.accept_keyword("AND")) {
      factor();
      program_.push_back(Op::conjunction);
    }
  }

  void factor() {
    const std::size_t start = scanner_.position();
    if (scanner_.accept_keyword("NOT")) {
      enter(start);
      factor();
      program_.push_back(Op::negation);
      --depth_;
    } else if (scanner_.accept("(")) {
      enter(start);
      disjunction();
      if (!scanner_.accept(")")) scanner_.fail(scanner_.position(), "AND, OR or ')'");
      --depth_;
    } else {
      operand_();
      program_.push_back(Op::comparison);
    }
  }

  void enter(std::size_t start) {
    if (++depth_ > deepest)
      scanner_.fail(start, "at most " + std::to_string(deepest) + " nested NOT and parentheses");
  }

  Scanner& scanner_;
  const std::function<void()>& operand_;
  std::vector<Op> program_;
  int depth_ = 0;
};

}  // namespace

std::vector<Op> scan_connectives(Scanner& scanner, const std::function<void()>& operand) {
  return ConnectiveReader(scanner, operand).read();
}

}  // namespace atl
