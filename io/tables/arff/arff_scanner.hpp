#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace atl::io {

/// Walks along one line of an ARFF file, up to a comment: a % outside quotes, as Weka has it.
/// Quotes open where a name, a value or a label begins.
class ArffScanner {
 public:
  /// @throws BadCell for a % behind a quote that does not close
  ArffScanner(std::string_view line, const std::string& file, std::uint64_t number);

  /// The line without its comment.
  std::string_view line() const noexcept { return line_; }
  bool has_comment() const noexcept { return has_comment_; }
  /// At the start of the line, whose % is none of a comment.
  ArffScanner without_comments() const;
  /// Does a quote open, somewhere in the line, that does not close?
  bool has_open_quote() const noexcept;

  void skip_blanks() noexcept;
  bool at_end() noexcept {
    skip_blanks();
    return at_ == line_.size();
  }
  /// Is a quote next, after blanks?
  bool at_quote() noexcept;
  /// Is `c` next, after blanks?
  bool at(char c) noexcept;
  /// Does what is next follow what was read last without a blank?
  bool touches() const noexcept;
  /// Passes over `c`, after blanks, if it is next.
  bool accept(char c) noexcept;
  /// @throws BadCell
  void expect(char c, const std::string& where);
  /// @throws BadCell if anything but blanks is left
  void expect_end();
  /// Text up to a blank or one of `stops`; or what is in quotes ('...' or "...", with backslash
  /// escapes), for which `unescaped` gives room where escapes are removed.
  /// @param unescaped  has capacity for the line; is appended to, never reallocated
  /// @throws BadCell for an unclosed quote
  std::string_view word(std::string_view stops, std::vector<char>& unescaped);
  /// Like word, but blanks within unquoted text belong to it.
  std::string_view value(std::string_view stops, std::vector<char>& unescaped);
  /// Was a value without quotes that had a quote behind a blank among those read?
  bool saw_quote_in_value() const noexcept { return saw_quote_in_value_; }
  std::string word(std::string_view stops);
  std::string value(std::string_view stops);
  /// A BadCell at the current byte.
  [[noreturn]] void fail(const std::string& expected) const;

 private:
  std::string_view quoted(std::vector<char>& unescaped);

  std::string_view whole_;  ///< line, with its comment
  std::string_view line_;
  const std::string* file_;
  std::uint64_t number_;
  std::size_t at_ = 0;
  bool has_comment_ = false;
  bool has_quotes_ = false;
  bool saw_quote_in_value_ = false;
};

}  // namespace atl::io
