// The parts of dates in text, whatever their order.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "src/data/date.hpp"

namespace atl {

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
