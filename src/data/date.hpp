// Dates and times as numbers: microseconds since 1970-01-01T00:00:00, in float64.
//
// A float64 holds every microsecond from 1684-07-29 to 2255-06-04, every millisecond from year 0 to
// 4252 and every whole second of the years 0 to 9999, since a thousand, a million and so on have
// large powers of two as factors. What it does not hold is refused, never rounded.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "src/data/attribute.hpp"

namespace atl {

/// A date or time as read from text.
struct Moment {
  AttributeKind kind =
      AttributeKind::date;     ///< date, date_time or, if it has a zone, date_time_utc
  double microseconds = 0;     ///< whole; of date_time_utc in UTC
  const char* flaw = nullptr;  ///< what would have been right, if this has no such number
};

/// ISO 8601, extended form: 2024-03-01, 2024-03-01T12:30, 2024-03-01T12:30:15.123456, with a blank
/// in place of T, and with a zone Z, +02:00, +0200 or -05, which is taken off. Years 0000 to 9999
/// in the Gregorian calendar. Leap seconds (:60) and fractions that are not whole microseconds, or
/// that a float64 would round, have a flaw.
std::optional<Moment> parse_date(std::string_view text) noexcept;

/// The text that parse_date() reads to the same: 2024-03-01, 2024-03-01T12:30:15, with a Z behind
/// if in UTC, with three or six decimals if it takes any. @pre is_date_value()
std::string date_text(double microseconds, AttributeKind kind);

/// Is it a whole number of microseconds, or of days, in the years 0 to 9999?
bool is_date_value(double microseconds, AttributeKind kind) noexcept;

/// "a date such as 2024-03-01", and so on, for messages. @pre is_date(kind)
const char* expected_date(AttributeKind kind) noexcept;

/// A number of an attribute's dictionary as text: date_text() or format_number().
std::string value_text(double value, AttributeKind kind);

}  // namespace atl
