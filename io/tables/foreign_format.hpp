#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace atl::io {

/// What an input is, if its first bytes show that it is no text table, and what to do about it: "a
/// Parquet file, expected a text table; write it as CSV". Nothing for what may be text.
/// @param start  the first bytes of a file, 512 if it has that many
std::optional<std::string> foreign_format(std::string_view start);

}  // namespace atl::io
