#include "src/data/date.hpp"

#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "src/core/text/ascii.hpp"
#include "src/core/text/number.hpp"

namespace atl {
namespace {

namespace chrono = std::chrono;
using Instant = chrono::sys_time<chrono::microseconds>;

constexpr Instant first_instant = chrono::sys_days(chrono::year(0) / 1 / 1);
constexpr Instant end_of_instants = chrono::sys_days(chrono::year(10000) / 1 / 1);
constexpr double day_microseconds = 86'400e6;

}  // namespace

bool DateCursor::accept(char c) noexcept {
  if (at_end() || text_[at_] != c) return false;
  ++at_;
  return true;
}

bool DateCursor::number(unsigned least, unsigned most, int& value) noexcept {
  unsigned digits = 0;
  int read = 0;
  for (; digits < most && !at_end() && is_digit(text_[at_]); ++digits) {
    read = 10 * read + (text_[at_++] - '0');
  }
  value = read;
  return digits >= least;
}

bool DateCursor::fraction(DateFields& fields) noexcept {
  constexpr unsigned most = 9;  // below 2^31
  const std::size_t begin = at_;
  int nanoseconds = 0;
  if (!number(1, most, nanoseconds)) return false;
  for (std::size_t digits = at_ - begin; digits < most; ++digits) nanoseconds *= 10;
  fields.microsecond = nanoseconds / 1000;
  fields.finer = nanoseconds % 1000 != 0;
  return true;
}

bool DateCursor::zone(DateFields& fields) noexcept {
  if (accept('Z')) {
    fields.east = 0;
    return true;
  }
  const bool west = accept('-');
  if (!west && !accept('+')) return false;
  int hours = 0;
  int minutes = 0;
  if (!number(2, 2, hours) || hours > 23) return false;
  const bool colon = accept(':');
  if ((colon || (!at_end() && is_digit(text_[at_]))) && (!number(2, 2, minutes) || minutes > 59)) {
    return false;
  }
  fields.east = (west ? -1 : 1) * (60 * hours + minutes);
  return true;
}

std::optional<Moment> to_moment(const DateFields& fields) noexcept {
  const auto day = chrono::year(fields.year) / fields.month / fields.day;
  if (!day.ok() || fields.hour > 23 || fields.minute > 59 || fields.second > 60)
    return std::nullopt;
  Moment moment;
  if (fields.has_time) {
    moment.kind = fields.east ? AttributeKind::date_time_utc : AttributeKind::date_time;
  }
  if (fields.second == 60) {
    moment.flaw = "no leap second";
    return moment;
  }
  if (fields.finer) {
    moment.flaw = "whole microseconds";
    return moment;
  }
  const Instant instant = chrono::sys_days(day) + chrono::hours(fields.hour) +
                          chrono::minutes(fields.minute) -
                          chrono::minutes(fields.east.value_or(0)) +
                          chrono::seconds(fields.second) + chrono::microseconds(fields.microsecond);
  if (instant < first_instant || instant >= end_of_instants) {
    moment.flaw = "a time that lies in the years 0000 to 9999 in UTC, too";
    return moment;
  }
  const std::int64_t microseconds = instant.time_since_epoch().count();
  moment.microseconds = static_cast<double>(microseconds);
  if (static_cast<std::int64_t>(moment.microseconds) != microseconds) {
    moment.flaw = "whole seconds this far from 1970";
  }
  return moment;
}

std::optional<Moment> parse_date(std::string_view text) noexcept {
  constexpr std::size_t shortest = 10;
  if (text.size() < shortest || text[4] != '-' || text[7] != '-') return std::nullopt;
  DateCursor cursor(text);
  DateFields fields;
  const bool is_day = cursor.number(4, 4, fields.year) && cursor.accept('-') &&
                      cursor.number(2, 2, fields.month) && cursor.accept('-') &&
                      cursor.number(2, 2, fields.day);
  if (!is_day) return std::nullopt;
  if (cursor.at_end()) return to_moment(fields);
  fields.has_time = true;
  if (!cursor.accept('T') && !cursor.accept(' ')) return std::nullopt;
  if (!cursor.number(2, 2, fields.hour) || !cursor.accept(':') ||
      !cursor.number(2, 2, fields.minute)) {
    return std::nullopt;
  }
  if (cursor.accept(':')) {
    if (!cursor.number(2, 2, fields.second)) return std::nullopt;
    if (cursor.accept('.') && !cursor.fraction(fields)) return std::nullopt;
  }
  if (!cursor.at_end() && !cursor.zone(fields)) return std::nullopt;
  return cursor.at_end() ? to_moment(fields) : std::nullopt;
}

std::string date_text(double microseconds, AttributeKind kind) {
  const Instant instant{chrono::microseconds(static_cast<std::int64_t>(microseconds))};
  const auto midnight = chrono::floor<chrono::days>(instant);
  const chrono::year_month_day day(midnight);
  std::array<char, 64> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%04d-%02u-%02u", static_cast<int>(day.year()),
                static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
  std::string text = buffer.data();
  if (kind == AttributeKind::date) return text;
  const chrono::hh_mm_ss time(instant - midnight);
  const auto seconds = static_cast<int>(time.seconds().count());
  const auto fraction = static_cast<int>(time.subseconds().count());
  std::snprintf(buffer.data(), buffer.size(), "T%02d:%02d:%02d",
                static_cast<int>(time.hours().count()), static_cast<int>(time.minutes().count()),
                seconds);
  text += buffer.data();
  if (fraction != 0) {
    const bool whole_milliseconds = fraction % 1000 == 0;
    std::snprintf(buffer.data(), buffer.size(), whole_milliseconds ? ".%03d" : ".%06d",
                  whole_milliseconds ? fraction / 1000 : fraction);
    text += buffer.data();
  }
  if (kind == AttributeKind::date_time_utc) text += 'Z';
  return text;
}

bool is_date_value(double microseconds, AttributeKind kind) noexcept {
  const auto in_range = [](Instant instant, double value) {
    return value >= static_cast<double>(instant.time_since_epoch().count());
  };
  const double unit = kind == AttributeKind::date ? day_microseconds : 1;
  return in_range(first_instant, microseconds) && !in_range(end_of_instants, microseconds) &&
         std::fmod(microseconds, unit) == 0;
}

const char* expected_date(AttributeKind kind) noexcept {
  if (kind == AttributeKind::date) return "a date such as 2024-03-01";
  if (kind == AttributeKind::date_time) return "a time without zone such as 2024-03-01T12:30:15";
  return "a time with its zone such as 2024-03-01T12:30:15Z";
}

std::string value_text(double value, AttributeKind kind) {
  return is_date(kind) ? date_text(value, kind) : format_number(value);
}

}  // namespace atl
