// Reading of rule text and grammars: position, blanks, words, quotes, errors with line and column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "src/rules/expression.hpp"

namespace atl {

/// Line and byte column, from 1.
struct TextPlace {
  std::uint64_t line = 1;
  std::uint64_t column = 1;
};

/// Text and source must outlive it.
class Scanner {
 public:
  enum class Comments : bool { none, hash };  ///< hash: from '#' to the end of the line

  Scanner(std::string_view text, const std::string& source, Comments comments)
      : text_(text), source_(source), comments_(comments) {}

  /// All calls below begin at the next byte that is neither blank nor comment.
  std::size_t position() noexcept;
  void go_to(std::size_t position) noexcept { at_ = position; }
  bool at_end() noexcept { return position() == text_.size(); }
  char peek() noexcept { return at_end() ? '\0' : text_[at_]; }
  /// Passes over `symbol` if it comes next.
  bool accept(std::string_view symbol) noexcept;

  /// The run of bytes up to a blank, quote, bracket, comma or one of `ends`; may be empty.
  std::string_view peek_run(std::string_view ends) noexcept;
  /// Passes over the run if it is exactly `keyword`.
  bool accept_keyword(std::string_view keyword) noexcept;
  /// A quoted text, or a run; `what` names it in messages. A keyword must be quoted.
  std::string name_or_value(std::string_view ends, const std::string& what);

  /// Fast for places in a row.
  TextPlace place(std::size_t position) noexcept;
  /// @throws BadCell at the position; what was found is the token there
  [[noreturn]] void fail(std::size_t position, const std::string& expected);
  const std::string& source() const noexcept { return source_; }

 private:
  std::string quoted();

  std::string_view text_;
  const std::string& source_;
  Comments comments_;
  std::size_t at_ = 0;
  // These belong to the last place that was asked for.
  std::uint64_t line_ = 1;
  std::size_t line_begin_ = 0;
  std::size_t passed_ = 0;
};

/// Refuses carriage returns alone. For other programs one may end a line, for instance a comment.
/// @throws BadCell at one that no line feed follows
void expect_known_line_ends(std::string_view text, const std::string& source);

/// Ends of a run that is the name of an attribute.
inline constexpr std::string_view relation_characters = "<>=!";

/// Words that mean something: AND OR NOT in not =>
bool is_keyword(std::string_view word) noexcept;

/// The text in double quotes if it would not be read as one run otherwise, or is if, then or else.
std::string quoted_if_needed(const std::string& text, std::string_view ends);

/// Reads operands joined by NOT, AND, OR (in falling precedence) and parentheses.
/// @param operand  reads one operand
/// @return postfix, Op::comparison for each operand
std::vector<Op> scan_connectives(Scanner& scanner, const std::function<void()>& operand);

}  // namespace atl
