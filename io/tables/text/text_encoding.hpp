// Finds the encoding of the bytes of a text.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "io/tables/text/text_source.hpp"

namespace atl::io {

/// Does iconv know the encoding on this system?
bool can_decode(const std::string& encoding);

/// The text in UTF-8. What its encoding does not allow is a BadCell at a read, with its line.
/// @param encoding  as known_encoding or marked_encoding
/// @param says  what says that it is this one, for messages: "--encoding"
/// @param name  the file's, for messages
/// @throws BadData if it cannot be converted here
std::unique_ptr<TextSource> decoded(std::unique_ptr<TextSource> bytes, const std::string& encoding,
                                    const std::string& says, const std::string& name);

/// The encoding that a byte order mark at the start says: UTF-8, UTF-16LE, UTF-16BE, UTF-32LE or
/// UTF-32BE; empty without one.
std::string_view marked_encoding(std::string_view start) noexcept;

/// The encoding of a text of two or four bytes a letter without a mark, told by the places of its
/// zero bytes: UTF-16LE and so on; empty if it does not look so.
/// @param start  the first bytes of the text
std::string_view wide_encoding(std::string_view start) noexcept;

/// Has the encoding two or four bytes for each letter of ASCII? @param encoding  as known_encoding
bool is_wide(std::string_view encoding) noexcept;

/// An encoding by a name of iconv or of Python, as iconv knows it here; UTF-8 in all of its ways.
/// @throws UsageError
std::string known_encoding(const std::string& name);

/// May a text in the encoding begin with the mark? @param encoding  as known_encoding
bool agrees(std::string_view encoding, std::string_view marked) noexcept;

/// Says what was expected at a byte that is no UTF-8, or NUL, with what the text may be instead,
/// for messages: "UTF-8 text; it is likely cp1252 (Western European), which --encoding cp1252
/// reads".
/// @param text  around the fault  @param fault  where it is in text
std::string expected_utf8(std::string_view text, std::size_t fault);

}  // namespace atl::io
