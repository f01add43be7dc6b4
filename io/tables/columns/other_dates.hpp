// Finds dates that are written otherwise than in ISO 8601.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace atl::io {

/// The formats by which all labels are dates, as DateFormat takes them, such as %d.%m.%Y for
/// 31.12.2024. Of those with points, slashes or hyphens, with or without a time. Empty: they are no
/// dates. Two: day and month could be either. @param labels  empty ones are passed over
std::vector<std::string> formats_of_dates(std::span<const std::string> labels);

/// What to do with a column of such labels; empty if they are no dates.
std::string hint_at_dates(const std::string& column, std::span<const std::string> labels);

}  // namespace atl::io
