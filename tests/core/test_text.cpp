// Numbers, UTF-8, messages and hashes.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "src/core/error.hpp"
#include "src/core/hash.hpp"
#include "src/core/text/number.hpp"
#include "src/core/utf8.hpp"

namespace atl {
namespace {

TEST(Message, IsCutInItsMiddle) {
  EXPECT_EQ(shortened("short", 5), "short");
  EXPECT_EQ(shortened("0123456789", 6), "0123 ... 89");
  EXPECT_EQ(shortened("012\u00e4\u00e4\u00e49", 6), "012 ... 9");  // no half letters
  const std::string line(100'000, 'x');
  EXPECT_EQ(shortened(line + ", expected y").substr(2005 - 12), ", expected y");
}

TEST(Number, ABoundHasFewestDigits) {
  constexpr auto bound = short_bound;
  EXPECT_EQ(bound(1.9529079334965758, 1.9533), 1.953);
  EXPECT_EQ(bound(1.9533, 1.9529079334965758), 1.953);
  EXPECT_EQ(bound(1.95, 1.96), 1.95);
  EXPECT_EQ(bound(1.96, 1.95), 1.96);
  EXPECT_EQ(bound(26, 27), 26);
  EXPECT_EQ(bound(2, 4), 2) << "3 has as many digits";
  EXPECT_EQ(bound(0, 1), 0);
  EXPECT_EQ(bound(4650, 4687), 4650);
  EXPECT_EQ(bound(4668, 4687), 4680);
  EXPECT_EQ(bound(6849, 7298), 7000);
  EXPECT_EQ(bound(17, 1234), 600);
  EXPECT_EQ(bound(-1.5, 3), 0);
  EXPECT_EQ(bound(-1, 5), -1);
  EXPECT_EQ(bound(-17.25, -16.5), -17);
  EXPECT_EQ(bound(0.30000000000000004, 0.4), 0.35);
  EXPECT_EQ(bound(123456.789, 123999), 123700);
  EXPECT_EQ(bound(2, 2), 2);
  const double next = std::nextafter(1.25, 2.0);
  EXPECT_EQ(bound(next, 1.25), next) << "nothing lies between";
  const double most = std::numeric_limits<double>::max();
  EXPECT_EQ(bound(-most, most), 0);
  EXPECT_EQ(bound(most, std::nextafter(most, 0)), most);
}

TEST(Number, TheMiddleOfTwoIsShort) {
  EXPECT_EQ(short_middle(1.9, 3.0), 2.5);
  EXPECT_EQ(short_middle(0.6, 1.0), 0.8);
  EXPECT_EQ(short_middle(12.3, 57.9), 40);
  EXPECT_EQ(short_middle(1.95, 1.96), 1.955);
  EXPECT_EQ(short_middle(0.1, 0.2), 0.15);
  EXPECT_EQ(short_middle(1, 99), 50);
  EXPECT_EQ(short_middle(17, 18), std::nullopt) << "whole numbers have no fractions between them";
  EXPECT_EQ(short_middle(-1, 1), 0);
  EXPECT_EQ(short_middle(-1000, 1001), 0);
  EXPECT_EQ(short_middle(1.9529079334965758, 1.9533), 1.9531);
  const double next = std::nextafter(1.25, 2.0);
  EXPECT_EQ(short_middle(1.25, std::nextafter(next, 2.0)), next);
  EXPECT_EQ(short_middle(1.25, next), std::nullopt);
  EXPECT_EQ(short_middle(0, 5e-324), std::nullopt);
  const double most = std::numeric_limits<double>::max();
  EXPECT_EQ(short_middle(-most, most), 0);
}

TEST(Number, TheMiddleOfTwoLiesBetweenThem) {
  EXPECT_TRUE(rc::check([](double a, double b) {
    RC_PRE(std::isfinite(a) && std::isfinite(b) && a != b);
    const double low = std::min(a, b), high = std::max(a, b);
    const auto middle = short_middle(low, high);
    if (middle) {
      RC_ASSERT(low < *middle && *middle < high);
    } else {
      const bool whole = low == std::floor(low) && high == std::floor(high);
      RC_ASSERT(std::nextafter(low, high) == high || (whole && high - low <= 1));
    }
  }));
}

TEST(Number, NoNumberOfFewerDigitsIsABound) {
  EXPECT_TRUE(rc::check([](int a, int b) {
    const double own = a / 1024.0, neighbour = b / 1000.0;
    RC_PRE(own != neighbour);
    const double bound = short_bound(own, neighbour);
    const double low = std::min(own, neighbour), high = std::max(own, neighbour);
    RC_ASSERT(low <= bound && bound <= high && bound != neighbour);
    const int digits = digits_of(bound);
    RC_ASSERT(digits <= digits_of(own));
    for (int scale = -8; scale <= 8 && digits > 1; ++scale) {
      const double unit = std::pow(10.0, scale);
      const double above = std::ceil(low / unit), below = std::floor(high / unit);
      const bool shorter = above < below && std::abs(above) < std::pow(10.0, digits - 1) &&
                           std::abs(below) < std::pow(10.0, digits - 1);
      RC_ASSERT(!shorter);
    }
  }));
}

TEST(Number, DigitsAreCountedWithoutZerosAtTheEnds) {
  EXPECT_EQ(digits_of(0), 1);
  EXPECT_EQ(digits_of(-1200), 2);
  EXPECT_EQ(digits_of(0.00125), 3);
  EXPECT_EQ(digits_of(0.30000000000000004), 17);
}

TEST(Number, IsWrittenShortest) {
  EXPECT_EQ(format_number(0.1), "0.1");
  EXPECT_EQ(format_number(1), "1");
  EXPECT_EQ(format_number(1e21), "1e+21");
  EXPECT_EQ(format_number(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(format_number(std::nan("")), "");
}

TEST(Number, EveryFiniteValueReadsBack) {
  EXPECT_TRUE(rc::check([](double value) {
    RC_PRE(std::isfinite(value));
    RC_ASSERT(parse_number(format_number(value)) == std::optional(value));
  }));
}

TEST(Number, RefusesWhatIsNotWhollyANumber) {
  for (const char* text : {"", " 1", "1 ", "1,5", "0x10", "1e", "--1", "+-1", "+", "nan", "inf",
                           "-inf", "infinity", "1e999", "1.5.2"}) {
    EXPECT_EQ(parse_number(text), std::nullopt) << text;
  }
  EXPECT_EQ(parse_number("+1.5"), 1.5);
  EXPECT_EQ(parse_number(".5"), 0.5);
  EXPECT_EQ(parse_number("-0"), 0.0);
}

TEST(Utf8, FindsTheFirstIllFormedByte) {
  const std::string good = "aé€😀";
  EXPECT_EQ(first_invalid_utf8(good), good.size());
  for (const std::string bad : {"\x80", "\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80",
                                "\xF0\x80\x80\x80", "\xF4\x90\x80\x80", "\xF5", "\xE2\x82"}) {
    EXPECT_EQ(first_invalid_utf8("ok" + bad), 2U);
  }
}

TEST(Printable, EscapesAndShortens) {
  EXPECT_EQ(printable("a\tb\n\x7f"), "a\\x09b\\x0a\\u007f");
  EXPECT_EQ(printable("\xff é"), "\\xff é");
  EXPECT_EQ(printable(std::string(100, 'x'), 10), "xxxxxxxxxx...");
}

TEST(Printable, EscapesWhatATerminalObeysOrThatDeceives) {
  for (const auto& [text, shown] : std::vector<std::pair<std::string, std::string>>{
           {"\x1b[31m", "\\x1b[31m"},
           {"\xC2\x9B 31m", "\\u009b 31m"},
           {"\xC2\x80\xC2\x9F\xC2\xA0", "\\u0080\\u009f\\u00a0"},
           {"v\xC2\xADw\xE3\x80\x80\xE2\xA0\x80", "v\\u00adw\\u3000\\u2800"},
           {"\xE2\x9D\xA4\xEF\xB8\x8F", "\xE2\x9D\xA4\xEF\xB8\x8F"},
           {"a\xE2\x80\xAE b\xE2\x81\xA6", "a\\u202e b\\u2066"},
           {"\xE2\x80\x8E\xE2\x80\x8F\xD8\x9C", "\\u200e\\u200f\\u061c"},
           {"\xE2\x80\xA8\xE2\x80\xA9\xEF\xBB\xBF", "\\u2028\\u2029\\ufeff"},
           {"\x9B", "\\x9b"},
           {"\xD9\x85\xE2\x80\x8C\xD9\x85", "\xD9\x85\xE2\x80\x8C\xD9\x85"}}) {
    EXPECT_EQ(printable(text), shown);
    EXPECT_EQ(printable(shown), shown);
  }
}

TEST(Error, BadCellNamesThePlaceInOneLine) {
  const BadCell error("data.csv", 12, 3, "x\n1", "a number");
  EXPECT_STREQ(error.what(), "data.csv:12:3: found 'x\\x0a1', expected a number");
  EXPECT_EQ(error.status(), ExitStatus::bad_data);
  EXPECT_EQ(error.line, 12U);
  EXPECT_EQ(error.column, 3U);
  EXPECT_EQ(error.expected, "a number");
}

// XXH3_128bits of no bytes, seed 0, in canonical form.
TEST(Hash, GivesTheKnownAnswerForNothing) {
  EXPECT_EQ(to_hex(hash_bytes({})), "99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(Hasher().digest(), hash_bytes({}));
}

TEST(Hash, PiecesGiveTheHashOfTheWhole) {
  const std::string text(5000, 'q');
  const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
  Hasher hasher;
  hasher.update(bytes.first(17));
  hasher.update(bytes.subspan(17));
  EXPECT_EQ(hasher.digest(), hash_bytes(bytes));
}

TEST(Hash, TextsAreSeparated) {
  Hasher a, b;
  a.update_text("ab");
  a.update_text("c");
  b.update_text("a");
  b.update_text("bc");
  EXPECT_NE(a.digest(), b.digest());
}

}  // namespace
}  // namespace atl
