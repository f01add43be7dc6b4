// The one way numbers are written and read as text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace atl {

/// Shortest text that reads back to the same double (std::to_chars); "inf", "-inf"; NaN, which
/// stands for a value that does not exist, is the empty string.
std::string format_number(double value);
/// Formats like format_number, but whole numbers up to 1e15 without an exponent, as people type
/// them.
std::string plain_number(double value);

/// The bound that one would write down between a value and its neighbour: of the numbers from the
/// one to the other, the latter excluded, one of fewest digits (zeros at either end are none), of
/// those the nearest to the middle; the value itself if no other has fewer digits. On both sides of
/// zero it is zero, unless the value has one digit.
/// @param own  the value; finite, as the neighbour is
double short_bound(double own, double neighbour) noexcept;
/// A short number in the middle between two: of the numbers in the middle half of what lies
/// between them, one of fewest digits, the nearest to the middle. Between whole numbers it is
/// whole. Nothing if there is none.
/// @pre low <= high, both finite
std::optional<double> short_middle(double low, double high) noexcept;
/// Digits of the shortest text of a number, without zeros before the first or behind the last
/// other.
int digits_of(double value) noexcept;

/// Reads a whole decimal number, "inf", "-inf" or "nan" excluded, without locale. An explicit '+'
/// is accepted. Rounds to nearest; nullopt if any byte is left over or the value overflows.
std::optional<double> parse_number(std::string_view text) noexcept;

}  // namespace atl
