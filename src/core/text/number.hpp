// The one way numbers are written and read as text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace atl {

/// Shortest text that reads back to the same double (std::to_chars); "inf", "-inf"; NaN, which
/// stands for a value that does not exist, is the empty string.
std::string format_number(double value);
/// As format_number, but whole numbers up to 1e15 without an exponent, as people type them.
std::string plain_number(double value);

/// A short number in the middle between two: of the decimals strictly between them that are within
/// a hundredth of their distance of the middle, one of fewest digits, the nearest to it. Nothing if
/// no number lies between them.
/// @pre low <= high, both finite
std::optional<double> short_middle(double low, double high) noexcept;

/// Reads a whole decimal number, "inf", "-inf" or "nan" excluded, without locale. An explicit '+'
/// is accepted. Rounds to nearest; nullopt if any byte is left over or the value overflows.
std::optional<double> parse_number(std::string_view text) noexcept;

}  // namespace atl
