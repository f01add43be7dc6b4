#pragma once

#include <span>
#include <string>

namespace atl::io {

/// Appends a line of RFC 4180, but that it ends in \n. A field that a spreadsheet would take for a
/// formula, because = + - @ a tab or a carriage return comes first, and that is no number, has an
/// apostrophe before it; so has one that begins with apostrophes and then one of these: whoever
/// reads takes one apostrophe away from every such field.
void append_csv_line(std::string& out, std::span<const std::string> fields);

}  // namespace atl::io
