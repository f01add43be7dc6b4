#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace atl::io {

/// What an input is, if its beginning shows that it is no text table, and what to do about it: "a
/// Parquet file, expected a text table; in pandas: ...". Nothing for what may be a table, in which
/// case the readers tell what is wrong: the first cell may begin like another format.
/// @param bytes  the first bytes of a file, unpacked; some kB, if it has that many
/// @param text   the same in UTF-8: bytes, unless the encoding is another one
/// @param json   is JSON expected, too?
std::optional<std::string> foreign_format(std::string_view bytes, std::string_view text,
                                          bool json = false);
inline std::optional<std::string> foreign_format(std::string_view bytes) {
  return foreign_format(bytes, bytes);
}

}  // namespace atl::io
