// Dates and times as numbers: microseconds since 1970-01-01T00:00:00, in float64.
//
// A float64 holds every microsecond from 1684-07-29 to 2255-06-04, every millisecond from year 0 to
// 4252 and every whole second of the years 0 to 9999, since a thousand, a million and so on have
// large powers of two as factors. What it does not hold is refused, never rounded.
#pragma once

#include <cstdint>
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

/// The fields of a date as a text has them. They may be any numbers; to_moment() tells whether
/// there is such a day.
struct DateFields {
  int year = 0, month = 0, day = 0;
  bool has_time = false;
  int hour = 0, minute = 0, second = 0;
  int microsecond = 0;
  bool finer = false;            ///< the fraction says more than whole microseconds
  std::optional<int> east = {};  ///< of UTC, in minutes, if a zone is given
};

/// The moment of a date; nothing if the calendar has no such day, or the day no such time.
std::optional<Moment> to_moment(const DateFields& fields) noexcept;

/// Walks along the text of a date.
class DateCursor {
 public:
  explicit DateCursor(std::string_view text) noexcept : text_(text) {}

  bool at_end() const noexcept { return at_ == text_.size(); }
  bool accept(char c) noexcept;
  /// A number of `least` to `most` digits, as many as there are.
  bool number(unsigned least, unsigned most, int& value) noexcept;
  /// A fraction of a second, of one to nine digits.
  bool fraction(DateFields& fields) noexcept;
  /// Z, +hh:mm, +hhmm or +hh, and likewise with a minus.
  bool zone(DateFields& fields) noexcept;
  /// The rest of the text.
  std::string_view rest() const noexcept { return text_.substr(at_); }
  void skip(std::size_t bytes) noexcept { at_ += bytes; }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace atl
