#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace atl {

/// Bytes of the well-formed UTF-8 sequence that starts at text[at] (1 to 4), or 0 if none does
/// (overlong forms, surrogates and values above U+10FFFF are ill-formed; Unicode 15, table 3-7).
/// @pre at < text.size()
std::size_t utf8_sequence_length(std::string_view text, std::size_t at) noexcept;

/// Equals utf8_sequence_length, but is 0 also for what a terminal would obey or what would have a
/// text look like another one: control characters (C0, DEL, C1), the marks and isolates of
/// bidirectional text, the separators of lines and paragraphs, what is never seen (such as the soft
/// hyphen, the space without width, fillers, the byte order mark) and blanks other than the space.
/// Shown are the joiners U+200C and U+200D and the variation selectors, since languages and symbols
/// need them, and all above U+FFFF.
/// @pre at < text.size()
std::size_t shown_sequence_length(std::string_view text, std::size_t at) noexcept;

/// The code point of a well-formed sequence. @pre utf8_sequence_length(text, at) > 0
char32_t code_point_at(std::string_view text, std::size_t at) noexcept;

/// @pre code below 0x10000, no surrogate
void append_utf8(std::string& text, char32_t code);

/// Offset of the first ill-formed byte, or text.size().
std::size_t first_invalid_utf8(std::string_view text) noexcept;

}  // namespace atl
