#include "io/tables/arff/arff_scanner.hpp"

#include <algorithm>
#include <optional>

#include "src/core/error.hpp"

namespace atl::io {
namespace {

bool is_blank(char c) noexcept {
  return c == ' ' || c == '\t';
}

bool is_quote(char c) noexcept {
  return c == '\'' || c == '"';
}

/// Quotes open behind blanks, commas and braces; elsewhere they are part of a word.
struct Walk {
  std::size_t comment;                   ///< offset of the first % outside quotes
  std::optional<std::size_t> open = {};  ///< of a quote that does not close
};

Walk walk(std::string_view line) noexcept {
  std::size_t opened = 0;
  char quote = '\0';
  char before = ',';
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote != '\0') {
      if (c == '\\') {
        ++i;
      } else if (c == quote) {
        quote = '\0';
      }
    } else if (c == '%') {
      return {i};
    } else if (is_quote(c) && (is_blank(before) || before == ',' || before == '{')) {
      quote = c;
      opened = i;
    }
    before = c;
  }
  if (quote == '\0') return {line.size()};
  return {line.size(), opened};
}

}  // namespace

ArffScanner::ArffScanner(std::string_view line, const std::string& file, std::uint64_t number)
    : whole_(line), line_(line), file_(&file), number_(number) {
  if (line.find('%') != std::string_view::npos) {
    const auto [comment, open] = walk(line);
    if (open && line.find('%', *open) != std::string_view::npos) {
      at_ = *open;
      fail("a closing quote on the same line");
    }
    has_comment_ = comment < line.size();
    line_ = line.substr(0, comment);
  }
  has_quotes_ =
      line_.find('"') != std::string_view::npos || line_.find('\'') != std::string_view::npos;
}

ArffScanner ArffScanner::without_comments() const {
  ArffScanner scanner = *this;
  scanner.line_ = whole_;
  scanner.at_ = 0;
  scanner.has_comment_ = false;
  return scanner;
}

bool ArffScanner::has_open_quote() const noexcept {
  return walk(line_).open.has_value();
}

void ArffScanner::skip_blanks() noexcept {
  while (at_ < line_.size() && is_blank(line_[at_])) ++at_;
}

bool ArffScanner::at_quote() noexcept {
  skip_blanks();
  return at_ < line_.size() && is_quote(line_[at_]);
}

bool ArffScanner::at(char c) noexcept {
  skip_blanks();
  return at_ < line_.size() && line_[at_] == c;
}

bool ArffScanner::touches() const noexcept {
  return at_ > 0 && at_ < line_.size() && !is_blank(line_[at_]) && !is_blank(line_[at_ - 1]);
}

bool ArffScanner::accept(char c) noexcept {
  if (!at(c)) return false;
  ++at_;
  return true;
}

void ArffScanner::expect(char c, const std::string& where) {
  if (!accept(c)) fail("'" + std::string(1, c) + "' " + where);
}

void ArffScanner::expect_end() {
  if (!at_end()) fail("the end of the line");
}

std::string_view ArffScanner::word(std::string_view stops, std::vector<char>& unescaped) {
  if (at_quote()) return quoted(unescaped);
  const std::size_t begin = at_;
  while (at_ < line_.size() && !is_blank(line_[at_]) &&
         stops.find(line_[at_]) == std::string_view::npos) {
    ++at_;
  }
  return line_.substr(begin, at_ - begin);
}

std::string_view ArffScanner::value(std::string_view stops, std::vector<char>& unescaped) {
  if (at_quote()) return quoted(unescaped);
  const std::size_t begin = at_;
  at_ = std::min(line_.find_first_of(stops, at_), line_.size());
  std::size_t end = at_;
  while (end > begin && is_blank(line_[end - 1])) --end;
  const std::string_view value = line_.substr(begin, end - begin);
  if (has_quotes_) {
    const std::size_t quote = value.find_first_of("'\"");
    if (quote != std::string_view::npos && quote > 0 && is_blank(value[quote - 1])) {
      saw_quote_in_value_ = true;
    }
  }
  return value;
}

std::string ArffScanner::word(std::string_view stops) {
  std::vector<char> unescaped;
  return std::string(word(stops, unescaped));
}

std::string ArffScanner::value(std::string_view stops) {
  std::vector<char> unescaped;
  return std::string(value(stops, unescaped));
}

std::string_view ArffScanner::quoted(std::vector<char>& unescaped) {
  const char quote = line_[at_];
  const std::size_t begin = at_ + 1;
  const std::size_t kept = unescaped.size();
  bool escapes = false;
  for (std::size_t i = begin; i < line_.size(); ++i) {
    if (line_[i] == '\\' && i + 1 < line_.size()) {
      escapes = true;
      const char escaped = line_[++i];
      constexpr std::string_view letters = "ntr";
      const std::size_t letter = letters.find(escaped);
      unescaped.push_back(letter == std::string_view::npos ? escaped : "\n\t\r"[letter]);
    } else if (line_[i] == quote) {
      at_ = i + 1;
      if (escapes) return {unescaped.data() + kept, unescaped.size() - kept};
      unescaped.resize(kept);
      return line_.substr(begin, i - begin);
    } else {
      unescaped.push_back(line_[i]);
    }
  }
  fail("a closing quote on the same line");
}

void ArffScanner::fail(const std::string& expected) const {
  const std::string_view rest = line_.substr(at_, 100);
  const char* const end =
      has_comment_ ? "a comment, as % outside quotes begins one" : "end of line";
  throw BadCell(*file_, number_, at_ + 1, rest.empty() ? end : std::string(rest), expected);
}

}  // namespace atl::io
