// Formats that are text, but no table.
#pragma once

#include <optional>
#include <string_view>

namespace atl::io {

inline constexpr const char* from_pickle =
    "in pandas, if you trust it: pd.read_pickle(FILE).to_csv('data.csv', index=False)";
inline constexpr const char* no_table = "name a table of CSV, ARFF or KEEL";

/// A format, and what to do to get a table.
struct ForeignText {
  const char* name;
  const char* advice;
};

/// @param text  the beginning of a text in UTF-8; may be cut off anywhere
/// @param json  is JSON expected, too?
std::optional<ForeignText> foreign_text(std::string_view text, bool json);

}  // namespace atl::io
