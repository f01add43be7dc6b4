#pragma once

#include <span>
#include <string>
#include <string_view>

namespace atl::io {

/// A field that a spreadsheet would take for a formula: has an apostrophe before it, or is as it
/// is.
enum class Formulas { guarded, as_they_are };

/// A field of RFC 4180, quoted if it must be. Formulas are no concern of it.
std::string csv_field(std::string_view field);

/// Appends a line of RFC 4180, but that it ends in \n. A field that a spreadsheet would take for a
/// formula, because = + - @ a tab or a carriage return comes first, and that is no number, has an
/// apostrophe before it; so has one that begins with apostrophes and then one of these: whoever
/// reads takes one apostrophe away from every such field. None has one if formulas stay as they
/// are.
void append_csv_line(std::string& out, std::span<const std::string> fields,
                     Formulas formulas = Formulas::guarded);

}  // namespace atl::io
