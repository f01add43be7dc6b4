// What the bytes of a text are written in.
#pragma once

#include <string>
#include <string_view>

namespace atl::io {

/// What a byte order mark at the start says: UTF-8, UTF-16LE, UTF-16BE, UTF-32LE or UTF-32BE; empty
/// without one.
std::string_view marked_encoding(std::string_view start) noexcept;

/// What a text of two or four bytes a letter is that has no mark, by where its zero bytes are:
/// UTF-16LE and so on; empty if it does not look so. @param start  the first bytes of the text
std::string_view wide_encoding(std::string_view start) noexcept;

/// Has the encoding two or four bytes for each letter of ASCII? @param encoding  as known_encoding
bool is_wide(std::string_view encoding) noexcept;

/// An encoding by a name of iconv or of Python, as iconv knows it here; UTF-8 in all of its ways.
/// @throws UsageError
std::string known_encoding(const std::string& name);

/// May a text in the encoding begin with the mark? @param encoding  as known_encoding
bool agrees(std::string_view encoding, std::string_view marked) noexcept;

/// What was expected at a byte that is no UTF-8, or NUL, with what the text may be instead, for
/// messages: "UTF-8 text; it is likely cp1252 (Western European), which --encoding cp1252 reads".
/// @param text  around the fault  @param fault  where it is in text
std::string expected_utf8(std::string_view text, std::size_t fault);

}  // namespace atl::io
