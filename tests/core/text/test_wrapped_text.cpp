#include <gtest/gtest.h>

#include "src/core/text/wrapped_text.hpp"

namespace atl::test {
namespace {

TEST(WrappedText, BreaksAfterBlanksAndWithinLongWords) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(wrapped("", 5), Lines{""});
  EXPECT_EQ(wrapped("ab cd", 5), Lines{"ab cd"});
  EXPECT_EQ(wrapped("ab cd e", 5), (Lines{"ab cd", "e"}));
  EXPECT_EQ(wrapped("abcdefg hi", 4), (Lines{"abcd", "efg", "hi"}));
  EXPECT_EQ(wrapped("größe äöü", 5), (Lines{"größe", "äöü"}));
  EXPECT_EQ(wrapped("ab,cd,efghijk l", 7), (Lines{"ab,cd,", "efghijk", "l"}));
  EXPECT_EQ(wrapped("x ab,cd,efghijk", 7), (Lines{"x", "ab,cd,", "efghijk"}));
}

TEST(WrappedText, GoesOnBelowTheLastColumn) {
  const std::string option = "  --top N        rules to write, best first, whatever they say [100]";
  EXPECT_EQ(fitted(option + "\nshort\n", 45),
            "  --top N        rules to write, best first,\n"
            "                 whatever they say [100]\nshort\n");
  EXPECT_EQ(fitted(option, 0), option);
  EXPECT_EQ(fitted("if one thing and another thing hold then say a third", 40, 4),
            "if one thing and another thing hold\n    then say a third");
  EXPECT_EQ(fitted(option, 68), option);
  EXPECT_EQ(fitted("one long line without any columns in it", 30),
            "one long line without any\ncolumns in it");
  EXPECT_EQ(fitted("", 80), "");
  EXPECT_EQ(fitted("\n\n", 80), "\n\n");
}

TEST(WrappedText, LeavesRoomToRead) {
  EXPECT_EQ(fitted("a name as wide as the terminal  and what it means, in a few words", 20),
            "a name as wide as\nthe terminal\n    and what it\n    means, in a few\n    words");
  EXPECT_EQ(fitted("  a name  kind  what it means, in words", 28),
            "  a name  kind\n    what it means, in words");
}

TEST(WrappedText, TheEndOfANarrowedLineStays) {
  const std::string line = "generation 3/40  leverage 0.1  archive 80  71.3 k rules/s  12 s left";
  EXPECT_EQ(narrowed(line, 80), line);
  EXPECT_EQ(narrowed(line, 60), "generation 3/40  leverage 0.1  archive 80  12 s left");
  EXPECT_EQ(narrowed(line, 45), "generation 3/40  leverage 0.1  12 s left");
  EXPECT_EQ(narrowed(line, 26), "generation 3/40  12 s left");
  EXPECT_EQ(narrowed(line, 20), "12 s left");
  EXPECT_EQ(narrowed(line, 4), "12 s");
  EXPECT_EQ(narrowed("12 of 345 rows done, 3 s, 1 min left", 31),
            "12 of 345 rows done, 1 min left");
  EXPECT_EQ(narrowed("", 10), "");
}

}  // namespace
}  // namespace atl::test
