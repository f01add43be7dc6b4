#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "io/tables/text/text_source.hpp"
#include "src/core/report.hpp"

namespace atl::io {

/// May a comment begin with it? So do those that SPMF's readers pass over.
constexpr bool is_comment_mark(char c) noexcept {
  return c == '#' || c == '%' || c == '@';
}

/// Is a line of names surely a comment, where it stands before all transactions? It begins with #
/// or %, and behind that is a blank, the same once more or nothing. An item may have the name #1.
bool is_comment(std::string_view line) noexcept;

/// Is a line among lists of numbers a comment? It begins with #, % or @, but not with #1, which may
/// be a name.
/// @param begun  is there a transaction before it? Then only @ITEM= may follow an @.
bool is_comment_of_numbers(std::string_view line, bool begun) noexcept;

/// The text behind its first comments, and behind the empty lines among them.
std::string_view without_comments(std::string_view text) noexcept;

/// Counts comments as a reader comes to them. An empty line is a transaction, but before the first
/// one that has items it belongs to the comments, if there are any.
class Comments {
 public:
  void pass_over(std::uint64_t line) noexcept {
    if (lines_++ == 0) first_ = line;
    any_ = true;
  }
  /// A line of another use that is no transaction either.
  void note_header() noexcept { any_ = true; }
  bool begun() const noexcept { return begun_; }
  /// An empty line before the first transaction. @pre !begun()
  void hold_back() noexcept { ++empty_; }
  /// @return how many of the empty lines before are transactions
  std::uint64_t begin() noexcept {
    begun_ = true;
    return any_ ? 0 : empty_;
  }
  void tell(const std::string& name, const Report& report) const;

 private:
  std::uint64_t lines_ = 0, first_ = 0, empty_ = 0;
  bool begun_ = false, any_ = false;
};

/// Is it a character that may be around the items of a line?
constexpr bool is_blank(char c) noexcept {
  return c == ' ' || c == '\t';
}

/// Calls `use` with each line of a text, without its end (\n or \r\n), and its number from 1.
/// @param name  the file's, for messages
/// @throws BadCell for a line of more than 64 MiB, NUL bytes and what is not UTF-8; IoError; what
///         `use` throws
void for_each_line(std::unique_ptr<TextSource> source, const std::string& name,
                   const std::function<void(std::string_view line, std::uint64_t number)>& use);

}  // namespace atl::io
