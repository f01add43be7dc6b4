#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace atl::io {

/// Walks along one line of an ARFF file.
class ArffScanner {
 public:
  ArffScanner(std::string_view line, const std::string& file, std::uint64_t number)
      : line_(line), file_(file), number_(number) {}

  void skip_blanks() noexcept;
  bool at_end() noexcept {
    skip_blanks();
    return at_ == line_.size();
  }
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
  std::string word(std::string_view stops);
  std::string value(std::string_view stops);
  /// A BadCell at the current byte.
  [[noreturn]] void fail(const std::string& expected) const;

 private:
  std::string_view quoted(std::vector<char>& unescaped);

  std::string_view line_;
  const std::string& file_;
  std::uint64_t number_;
  std::size_t at_ = 0;
};

}  // namespace atl::io
