#pragma once

#include <cstddef>
#include <string_view>

namespace atl {

/// Bytes of the well-formed UTF-8 sequence that starts at text[at] (1 to 4), or 0 if none does
/// (overlong forms, surrogates and values above U+10FFFF are ill-formed; Unicode 15, table 3-7).
/// @pre at < text.size()
std::size_t utf8_sequence_length(std::string_view text, std::size_t at) noexcept;

/// Offset of the first ill-formed byte, or text.size().
std::size_t first_invalid_utf8(std::string_view text) noexcept;

}  // namespace atl
