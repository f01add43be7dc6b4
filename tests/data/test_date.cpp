#include <chrono>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "src/data/date.hpp"

namespace atl::test {
namespace {

using AttributeKind::date;
using AttributeKind::date_time;
using AttributeKind::date_time_utc;

constexpr double second = 1e6;
constexpr double day = 86'400e6;

void expect_date(const char* text, AttributeKind kind, double microseconds) {
  const auto moment = parse_date(text);
  ASSERT_TRUE(moment) << text;
  EXPECT_EQ(moment->flaw, nullptr) << text;
  EXPECT_EQ(moment->kind, kind) << text;
  EXPECT_EQ(moment->microseconds, microseconds) << text;
}

std::string flaw_of(const char* text) {
  const auto moment = parse_date(text);
  return moment && moment->flaw != nullptr ? moment->flaw : "";
}

TEST(Date, CountsFrom1970) {
  expect_date("1970-01-01", date, 0);
  expect_date("1969-12-31", date, -day);
  expect_date("2024-02-29", date, 19'782 * day);
  expect_date("1900-03-01", date, -25'508 * day);
  expect_date("0000-01-01", date, -719'528 * day);
  expect_date("9999-12-31", date, 2'932'896 * day);
}

TEST(Date, ReadsTimesAndZones) {
  const double noon = 19'783 * day + 12.5 * 3600 * second;  // of 2024-03-01
  expect_date("2024-03-01T12:30", date_time, noon);
  expect_date("2024-03-01 12:30", date_time, noon);
  expect_date("2024-03-01T12:30:15", date_time, noon + 15 * second);
  expect_date("2024-03-01T12:30:15.1", date_time, noon + 15.1 * second);
  expect_date("2024-03-01T12:30:15.123456", date_time, noon + 15'123'456);
  expect_date("2024-03-01T12:30:15.123456000", date_time, noon + 15'123'456);
  expect_date("2024-03-01T12:30Z", date_time_utc, noon);
  expect_date("2024-03-01 12:30:15.5Z", date_time_utc, noon + 15.5 * second);
  expect_date("2024-03-01T12:30+02:00", date_time_utc, noon - 7200 * second);
  expect_date("2024-03-01T12:30:00+0200", date_time_utc, noon - 7200 * second);
  expect_date("2024-03-01T12:30-05", date_time_utc, noon + 18'000 * second);
  expect_date("2024-03-01T12:30-05:45", date_time_utc, noon + 20'700 * second);
  expect_date("1969-12-31T23:59:59.999999", date_time, -1);
}

TEST(Date, OtherTextIsNone) {
  for (const char* const text : {"",
                                 "2024",
                                 "20240301",
                                 "2024-3-1",
                                 "2024-03-01T",
                                 "2024-03-01 ",
                                 "2024-03-01Z",
                                 "2024-02-30",
                                 "2023-02-29",
                                 "1900-02-29",
                                 "2024-00-01",
                                 "2024-13-01",
                                 "2024-04-31",
                                 "2024-01-00",
                                 "2024-03-01T24:00",
                                 "2024-03-01T12",
                                 "2024-03-01T12:60",
                                 "2024-03-01T12:30:",
                                 "2024-03-01T12:30:61",
                                 "2024-03-01T12:30:15.",
                                 "2024-03-01T12:30:15.1234567890",
                                 "2024-03-01T12:30+24:00",
                                 "2024-03-01T12:30+02:60",
                                 "2024-03-01T12:30+2",
                                 "2024-03-01T12:30+020",
                                 "2024-03-01T12:30Zx",
                                 "2024-03-01  12:30",
                                 "2024/03/01",
                                 "-024-03-01",
                                 "12024-03-01",
                                 "2024-03-0x",
                                 "2024-03-01T1x:00",
                                 "2024-W09-5",
                                 "2024-061"}) {
    EXPECT_FALSE(parse_date(text)) << text;
  }
}

TEST(Date, WhatHasNoExactNumberIsFlawed) {
  EXPECT_EQ(flaw_of("2016-12-31T23:59:60Z"), "no leap second");
  EXPECT_EQ(flaw_of("2024-03-01T12:30:15.1234567"), "whole microseconds");
  EXPECT_EQ(flaw_of("0000-01-01T00:00+01:00"),
            "a time that lies in the years 0000 to 9999 in UTC, too");
  EXPECT_EQ(flaw_of("9999-12-31T23:59-00:01"),
            "a time that lies in the years 0000 to 9999 in UTC, too");
  EXPECT_EQ(flaw_of("2300-01-01T00:00:00.000001"), "whole seconds this far from 1970");
  expect_date("2255-06-04T23:59:59.999999", date_time, 9'007'113'599'999'999.0);
  expect_date("1684-07-29T00:00:00.000001", date_time, -9'007'113'599'999'999.0);
}

TEST(Date, IsWrittenWithNoDecimalsOrThreeOrSix) {
  EXPECT_EQ(date_text(0, date), "1970-01-01");
  EXPECT_EQ(date_text(0, date_time), "1970-01-01T00:00:00");
  EXPECT_EQ(date_text(-1, date_time_utc), "1969-12-31T23:59:59.999999Z");
  EXPECT_EQ(date_text(1.25 * second, date_time), "1970-01-01T00:00:01.250");
  EXPECT_EQ(date_text(-719'528 * day, date), "0000-01-01");
  EXPECT_EQ(value_text(0.5, AttributeKind::numeric), "0.5");
  EXPECT_EQ(value_text(day, date), "1970-01-02");
}

RC_GTEST_PROP(Date, isReadBackAsItIsWritten, ()) {
  const auto kind = *rc::gen::element(date, date_time, date_time_utc);
  const auto days = *rc::gen::inRange(-719'528, 2'932'897);
  double microseconds = days * day;
  if (kind != date) microseconds += *rc::gen::inRange(0, 86'400) * second;
  if (kind != date && std::abs(days) < 100'000) microseconds += *rc::gen::inRange(0, 1'000'000);
  RC_ASSERT(is_date_value(microseconds, kind));
  const auto moment = parse_date(date_text(microseconds, kind));
  RC_ASSERT(moment.has_value());
  RC_ASSERT(moment->flaw == nullptr);
  RC_ASSERT(moment->kind == kind);
  RC_ASSERT(moment->microseconds == microseconds);
}

TEST(Date, ValuesAreWholeAndInTheCalendar) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(is_date_value(-719'528 * day, date));
  EXPECT_FALSE(is_date_value(-719'529 * day, date));
  EXPECT_TRUE(is_date_value(2'932'896 * day, date));
  EXPECT_FALSE(is_date_value(2'932'897 * day, date_time));
  EXPECT_TRUE(is_date_value(1, date_time));
  EXPECT_FALSE(is_date_value(1, date));
  EXPECT_FALSE(is_date_value(0.5, date_time));
  EXPECT_FALSE(is_date_value(infinity, date_time));
  EXPECT_FALSE(is_date_value(-infinity, date_time));
  EXPECT_FALSE(is_date_value(std::numeric_limits<double>::quiet_NaN(), date_time));
}

}  // namespace
}  // namespace atl::test
