#include "io/tables/arff_scanner.hpp"

#include <algorithm>

#include "src/core/error.hpp"

namespace atl::io {
namespace {

bool is_blank(char c) noexcept {
  return c == ' ' || c == '\t';
}

}  // namespace

void ArffScanner::skip_blanks() noexcept {
  while (at_ < line_.size() && is_blank(line_[at_])) ++at_;
}

bool ArffScanner::accept(char c) noexcept {
  skip_blanks();
  if (at_ == line_.size() || line_[at_] != c) return false;
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
  skip_blanks();
  if (at_ < line_.size() && (line_[at_] == '\'' || line_[at_] == '"')) return quoted(unescaped);
  const std::size_t begin = at_;
  while (at_ < line_.size() && !is_blank(line_[at_]) &&
         stops.find(line_[at_]) == std::string_view::npos) {
    ++at_;
  }
  return line_.substr(begin, at_ - begin);
}

std::string_view ArffScanner::value(std::string_view stops, std::vector<char>& unescaped) {
  skip_blanks();
  if (at_ < line_.size() && (line_[at_] == '\'' || line_[at_] == '"')) return quoted(unescaped);
  const std::size_t begin = at_;
  at_ = std::min(line_.find_first_of(stops, at_), line_.size());
  std::size_t end = at_;
  while (end > begin && is_blank(line_[end - 1])) --end;
  return line_.substr(begin, end - begin);
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
      unescaped.push_back(escaped == 'n' ? '\n' : escaped == 't' ? '\t' : escaped);
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
  throw BadCell(file_, number_, at_ + 1, rest.empty() ? "end of line" : std::string(rest),
                expected);
}

}  // namespace atl::io
