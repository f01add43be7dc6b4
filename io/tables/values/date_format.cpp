#include "io/tables/values/date_format.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

namespace atl::io {
namespace {

constexpr std::array<std::string_view, 12> months = {
    "january", "february", "march",     "april",   "may",      "june",
    "july",    "august",   "september", "october", "november", "december"};
constexpr std::array<std::string_view, 7> days = {"monday", "tuesday",  "wednesday", "thursday",
                                                  "friday", "saturday", "sunday"};

bool begins_with_word(std::string_view text, std::string_view lower_word) noexcept {
  return text.size() >= lower_word.size() &&
         std::equal(lower_word.begin(), lower_word.end(), text.begin(), [](char expected, char c) {
           return expected == (c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
         });
}

/// The number of a name, from 1; the whole name is read, else its first three letters.
template <std::size_t N>
bool read_name(DateCursor& cursor, const std::array<std::string_view, N>& names,
               int& number) noexcept {
  constexpr std::size_t short_name = 3;
  for (const bool whole : {true, false}) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string_view name = whole ? names[i] : names[i].substr(0, short_name);
      if (!begins_with_word(cursor.rest(), name)) continue;
      cursor.skip(name.size());
      number = static_cast<int>(i) + 1;
      return true;
    }
  }
  return false;
}

/// The fields of a date being read, and what a clock of twelve hours has besides.
struct Reading {
  DateFields fields;
  int day_of_week = 0;  ///< may contradict the date, which counts
  bool twelve_hours = false;
  bool afternoon = false;
};

bool read_conversion(char letter, DateCursor& cursor, Reading& reading) noexcept {
  DateFields& fields = reading.fields;
  switch (letter) {
    case 'Y':
      return cursor.number(4, 4, fields.year);
    case 'y':
      if (!cursor.number(2, 2, fields.year)) return false;
      fields.year += fields.year < 69 ? 2000 : 1900;
      return true;
    case 'm':
      return cursor.number(1, 2, fields.month);
    case 'b':
      return read_name(cursor, months, fields.month);
    case 'a':
      return read_name(cursor, days, reading.day_of_week);
    case 'd':
      return cursor.number(1, 2, fields.day);
    case 'H':
      fields.has_time = true;
      return cursor.number(1, 2, fields.hour);
    case 'I':
      fields.has_time = reading.twelve_hours = true;
      return cursor.number(1, 2, fields.hour) && fields.hour >= 1 && fields.hour <= 12;
    case 'p':
      reading.afternoon = begins_with_word(cursor.rest(), "pm");
      if (!reading.afternoon && !begins_with_word(cursor.rest(), "am")) return false;
      cursor.skip(2);
      return true;
    case 'M':
      return cursor.number(1, 2, fields.minute);
    case 'S':
      return cursor.number(1, 2, fields.second);
    case 'f':
      return cursor.fraction(fields);
    case 'z':
      return cursor.zone(fields);
    default:
      return cursor.accept('%');
  }
}

/// Letters of the format's conversions, "%" of %%.
std::string conversions_of(const std::string& text) {
  constexpr std::string_view known = "YymbdaHIpMSfz%";
  std::string letters;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') continue;
    const char letter = ++i < text.size() ? text[i] : '\0';
    if (letter == '\0' || known.find(letter) == std::string_view::npos) {
      throw std::invalid_argument(std::string("a format of ") + date_conversions);
    }
    if (letter != '%' && letters.find(letter) != std::string::npos) {
      throw std::invalid_argument(std::string("%") + letter + " once");
    }
    letters += letter;
  }
  return letters;
}

AttributeKind checked_kind(const std::string& letters) {
  const auto count = [&](std::string_view of) {
    return std::count_if(of.begin(), of.end(),
                         [&](char c) { return letters.find(c) != std::string::npos; });
  };
  const auto expect = [](bool condition, const char* expected) {
    if (!condition) throw std::invalid_argument(expected);
  };
  expect(count("Yy") == 1 && count("mb") == 1 && count("d") == 1,
         "a year (%Y or %y), a month (%m or %b) and a day (%d)");
  expect(count("HI") <= 1 && count("I") == count("p"), "an hour as %H, or as %I with %p");
  const auto hours = count("HI");
  expect(count("M") <= hours && count("S") <= count("M") && count("f") <= count("S"),
         "%M only with an hour, %S only with %M, %f only with %S");
  expect(hours == 0 ? count("z") == 0 : count("M") == 1,
         "hour and minute (%M) together, a zone (%z) only with them");
  if (hours == 0) return AttributeKind::date;
  return count("z") == 1 ? AttributeKind::date_time_utc : AttributeKind::date_time;
}

}  // namespace

DateFormat::DateFormat(std::string text)
    : text_(std::move(text)), kind_(checked_kind(conversions_of(text_))) {}

std::optional<Moment> DateFormat::read(std::string_view date) const noexcept {
  DateCursor cursor(date);
  Reading reading;
  for (std::size_t i = 0; i < text_.size(); ++i) {
    const bool fits =
        text_[i] == '%' ? read_conversion(text_[++i], cursor, reading) : cursor.accept(text_[i]);
    if (!fits) return std::nullopt;
  }
  if (!cursor.at_end()) return std::nullopt;
  if (reading.twelve_hours) {
    reading.fields.hour = reading.fields.hour % 12 + (reading.afternoon ? 12 : 0);
  }
  return to_moment(reading.fields);
}

}  // namespace atl::io
