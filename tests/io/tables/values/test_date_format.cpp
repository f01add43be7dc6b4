#include <stdexcept>

#include <gtest/gtest.h>

#include "io/tables/values/date_format.hpp"
#include "io/tables/values/value_reader.hpp"

namespace atl::io::test {
namespace {

using AttributeKind::date;
using AttributeKind::date_time;
using AttributeKind::date_time_utc;

/// In the words of date_text(), what is read; "" if nothing is.
std::string read(const std::string& format, const std::string& text) {
  const auto moment = DateFormat(format).read(text);
  if (!moment) return "";
  return moment->flaw != nullptr ? moment->flaw : date_text(moment->microseconds, moment->kind);
}

std::string refusal(const std::string& format) {
  try {
    DateFormat{format};
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(DateFormat, ReadsEveryConversion) {
  EXPECT_EQ(read("%d.%m.%Y", "01.03.2024"), "2024-03-01");
  EXPECT_EQ(read("%d.%m.%Y", "1.3.2024"), "2024-03-01");
  EXPECT_EQ(read("%Y%m%d", "20240301"), "2024-03-01");
  EXPECT_EQ(read("%m/%d/%y", "3/1/68"), "2068-03-01");
  EXPECT_EQ(read("%m/%d/%y", "3/1/69"), "1969-03-01");
  EXPECT_EQ(read("%d-%b-%Y", "01-mar-2024"), "2024-03-01");
  EXPECT_EQ(read("%b %d, %Y", "September 30, 1999"), "1999-09-30");
  EXPECT_EQ(read("%a, %d %b %Y", "Fri, 1 Mar 2024"), "2024-03-01");
  EXPECT_EQ(read("%a %d.%m.%Y", "friday 01.03.2024"), "2024-03-01");
  EXPECT_EQ(read("%a %d.%m.%Y", "Fr 01.03.2024"), "");
  EXPECT_EQ(read("%d.%m.%Y %H:%M", "01.03.2024 7:05"), "2024-03-01T07:05:00");
  EXPECT_EQ(read("%Y-%m-%d %H:%M:%S.%f", "2024-03-01 12:30:15.25"), "2024-03-01T12:30:15.250");
  EXPECT_EQ(read("%m/%d/%Y %I:%M %p", "03/01/2024 12:05 AM"), "2024-03-01T00:05:00");
  EXPECT_EQ(read("%m/%d/%Y %I:%M %p", "03/01/2024 12:05 pm"), "2024-03-01T12:05:00");
  EXPECT_EQ(read("%m/%d/%Y %I:%M%p", "03/01/2024 1:05PM"), "2024-03-01T13:05:00");
  EXPECT_EQ(read("%d/%b/%Y:%H:%M:%S %z", "01/Mar/2024:12:30:15 +0200"), "2024-03-01T10:30:15Z");
  EXPECT_EQ(read("100%% %Y %m %d", "100% 2024 3 1"), "2024-03-01");
}

TEST(DateFormat, RefusesOtherText) {
  EXPECT_EQ(read("%d.%m.%Y", "30.02.2024"), "");
  EXPECT_EQ(read("%d.%m.%Y", "01.03.24"), "");
  EXPECT_EQ(read("%d.%m.%Y", "01.03.2024 "), "");
  EXPECT_EQ(read("%d.%m.%Y", "01/03/2024"), "");
  EXPECT_EQ(read("%d.%m.%Y", ""), "");
  EXPECT_EQ(read("%d %b %Y", "1 Mai 2024"), "");
  EXPECT_EQ(read("%m/%d/%Y %I:%M %p", "03/01/2024 13:05 PM"), "");
  EXPECT_EQ(read("%m/%d/%Y %I:%M %p", "03/01/2024 0:05 PM"), "");
  EXPECT_EQ(read("%m/%d/%Y %I:%M %p", "03/01/2024 1:05 xm"), "");
  EXPECT_EQ(read("%Y-%m-%d %H:%M:%S", "2016-12-31 23:59:60"), "no leap second");
}

TEST(DateFormat, TellsTheKind) {
  EXPECT_EQ(DateFormat("%d.%m.%Y").kind(), date);
  EXPECT_EQ(DateFormat("%d.%m.%Y %H:%M").kind(), date_time);
  EXPECT_EQ(DateFormat("%d.%m.%Y %H:%M %z").kind(), date_time_utc);
}

TEST(DateFormat, IsCheckedBeforeAnythingIsRead) {
  const std::string day = "a year (%Y or %y), a month (%m or %b) and a day (%d)";
  EXPECT_EQ(refusal(""), day);
  EXPECT_EQ(refusal("%d.%m."), day);
  EXPECT_EQ(refusal("%d.%m.%Y %y"), day);
  EXPECT_EQ(refusal("%d.%m.%Y %d"), "%d once");
  EXPECT_EQ(refusal("%d.%m.%Y %"), "a format of %Y %y %m %b %d %a %H %I %p %M %S %f %z %%");
  EXPECT_EQ(refusal("%d.%m.%Y %j"), "a format of %Y %y %m %b %d %a %H %I %p %M %S %f %z %%");
  EXPECT_EQ(refusal("%d.%m.%Y %I:%M"), "an hour as %H, or as %I with %p");
  EXPECT_EQ(refusal("%d.%m.%Y %H:%M %p"), "an hour as %H, or as %I with %p");
  EXPECT_EQ(refusal("%d.%m.%Y %M"), "%M only with an hour, %S only with %M, %f only with %S");
  EXPECT_EQ(refusal("%d.%m.%Y %H"), "hour and minute (%M) together, a zone (%z) only with them");
  EXPECT_EQ(refusal("%d.%m.%Y %z"), "hour and minute (%M) together, a zone (%z) only with them");
  EXPECT_EQ(refusal("%d.%m.%Y %H:%M %%%%"), "");
}

TEST(ValueReader, ReadsNumbersAndDatesOfItsKind) {
  EXPECT_EQ(ValueReader{}.value("-0"), 0.0);
  EXPECT_EQ(ValueReader{}.value("2024-03-01"), std::nullopt);
  const ValueReader iso{.kind = date_time};
  EXPECT_EQ(iso.value("1970-01-01 00:00:01"), 1e6);
  EXPECT_EQ(iso.value("1970-01-01"), std::nullopt);
  EXPECT_EQ(iso.expected("1970-01-01"), "a time without zone such as 2024-03-01T12:30:15");
  EXPECT_EQ(iso.expected("1970-01-01 00:00:60"), "no leap second");
  const ValueReader own{.kind = date, .format = DateFormat("%d.%m.%Y")};
  EXPECT_EQ(own.value("02.01.1970"), 86'400e6);
  EXPECT_EQ(own.value("1970-01-02"), std::nullopt);
  EXPECT_EQ(own.expected("1970-01-02"), "a date as '%d.%m.%Y'");
}

}  // namespace
}  // namespace atl::io::test
