// Text that fits into the columns of a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace atl {

/// Number of characters of a UTF-8 text, each code point taken for one.
std::size_t characters(std::string_view text);

/// Lines of at most `width` characters, broken after blanks, where a word is longer after one of
/// its commas, and else anywhere.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

/// Blanks before what goes on of a rule of a decision list.
inline constexpr std::size_t rule_indent = 4;

/// Lines that are too long go on below the last of their columns, which two blanks or more part.
/// @param columns  0: nothing is too long
/// @param hanging  blanks before what goes on of a line that has one column
std::string fitted(std::string_view text, std::size_t columns, std::size_t hanging = 0);

/// A line of at most `columns` characters. Of its parts, which two blanks (or, if none are, a comma
/// and a blank) part, the last but one is left out, then the one before it, and so on; only then is
/// the end cut off.
std::string narrowed(std::string_view line, std::size_t columns);

}  // namespace atl
