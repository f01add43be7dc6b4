#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace atl::io {

/// The format of an ARFF date, which is that of Java's SimpleDateFormat, as DateFormat takes it:
/// yyyy, yy, M, MM, MMM, MMMM, d, dd, H, HH, h, hh, a, m, mm, s, ss, SSS, X, XX, XXX, Z, E, EEE,
/// EEEE, and text in single quotes.
/// @return nothing for other letters and an unclosed quote
std::optional<std::string> date_format_of(std::string_view arff);

}  // namespace atl::io
