#include <string>

#include <gtest/gtest.h>

#include "io/tables/text/text_encoding.hpp"
#include "src/core/error.hpp"

namespace atl::io::test {
namespace {

using namespace std::string_literals;

/// With a byte more for each letter of ASCII, behind it or before it.
std::string wide(const std::string& ascii, std::size_t before, std::size_t behind) {
  std::string text;
  for (const char c : ascii) text += std::string(before, '\0') + c + std::string(behind, '\0');
  return text;
}

TEST(TextEncoding, IsToldByAByteOrderMark) {
  EXPECT_EQ(marked_encoding("\xEF\xBB\xBF"s + "a"), "UTF-8");
  EXPECT_EQ(marked_encoding("\xFF\xFE"s + "a\0"s), "UTF-16LE");
  EXPECT_EQ(marked_encoding("\xFE\xFF\0a"s), "UTF-16BE");
  EXPECT_EQ(marked_encoding("\xFF\xFE\0\0a\0\0\0"s), "UTF-32LE");
  EXPECT_EQ(marked_encoding("\0\0\xFE\xFF\0\0\0a"s), "UTF-32BE");
  EXPECT_EQ(marked_encoding("a,b"), "");
  EXPECT_EQ(marked_encoding(""), "");
}

TEST(TextEncoding, IsToldByZeroBytes) {
  EXPECT_EQ(wide_encoding(wide("a,b\n1,2\n", 0, 1)), "UTF-16LE");
  EXPECT_EQ(wide_encoding(wide("a,b\n1,2\n", 1, 0)), "UTF-16BE");
  EXPECT_EQ(wide_encoding(wide("a,b\n1,2\n", 0, 3)), "UTF-32LE");
  EXPECT_EQ(wide_encoding(wide("a,b\n1,2\n", 3, 0)), "UTF-32BE");
  std::string chinese;
  for (int i = 0; i < 100; ++i) chinese += "\x0A\x54\x0D\x54\x0A\x4E\x2C\0"s;
  EXPECT_EQ(wide_encoding(chinese), "UTF-16LE");
  EXPECT_EQ(wide_encoding("a,b\n1,2\n"), "");
  EXPECT_EQ(wide_encoding("a,b\n1,\0002\n"s), "");
  EXPECT_EQ(wide_encoding(std::string(1000, '\0')), "");
  EXPECT_EQ(wide_encoding(""), "");
}

TEST(TextEncoding, HasTheNamesOfIconvAndOfPython) {
  EXPECT_EQ(known_encoding("latin1"), "latin1");
  EXPECT_EQ(known_encoding("cp1252"), "cp1252");
  for (const std::string name :
       {"latin-1", "iso8859_1", "ISO-8859-15", "windows-1252", "mac_roman", "macroman", "shift_jis",
        "cp932", "euc_jp", "gb18030", "big5", "koi8_r", "cp850", "ascii", "windows1251", "ansi"}) {
    EXPECT_NO_THROW(known_encoding(name)) << name;
  }
  for (const std::string name : {"utf8", "UTF-8", "utf_8", "utf-8-sig"}) {
    EXPECT_EQ(known_encoding(name), "UTF-8");
  }
  EXPECT_EQ(known_encoding("utf_16_le"), "UTF-16LE");
  EXPECT_EQ(known_encoding("utf16"), "UTF-16");
  EXPECT_EQ(known_encoding("UCS-2"), "UTF-16");
  for (const std::string name : {"nonsense", "", "--", "latin1//TRANSLIT", "../x", "la tin1"}) {
    EXPECT_THROW(known_encoding(name), UsageError) << name;
  }
}

TEST(TextEncoding, IsGuessedForAMessage) {
  const auto expected = [](const std::string& text) {
    return expected_utf8(text, text.find_first_not_of("abcdefghijklmnopqrstuvwxyzG,\n0123456789"));
  };
  const std::string western =
      "UTF-8 text; it is likely cp1252 (Western European), which --encoding cp1252 reads";
  EXPECT_EQ(expected("caf\xE9,1\ngr\xF6\xDF"s + "e,2\n"), western);
  EXPECT_EQ(expected("it\x92s,1\n"), western);
  EXPECT_EQ(expected("caf\x82,1\n"),
            "UTF-8 text; --encoding names another one, such as cp850 (DOS), macintosh or shift_jis "
            "(Japanese)");
  EXPECT_EQ(expected("\xEC\xEE\xF1\xEA\xE2\xE0,1\n\xEA\xE0\xE7\xE0\xED,2\n"),
            "UTF-8 text; --encoding names another one, such as cp1251 (Cyrillic), cp1253 (Greek) "
            "or koi8-r");
  EXPECT_EQ(expected("\xB1\xB1\xBE\xA9,1\n\xC9\xCF\xBA\xA3,2\n"),
            "UTF-8 text; --encoding names another one, such as gb18030, big5 or euc-kr");
  EXPECT_EQ(expected_utf8("\xC3\xA9,\xC3\xB6,\xE9,1\n", 6),
            "UTF-8 text, as around it; the file is damaged or mixes encodings");
  EXPECT_EQ(expected_utf8("a\0,\0b\0\n\0"s, 1),
            "UTF-8 text; it is likely UTF-16LE without a byte order mark, which --encoding "
            "utf-16le reads");
  EXPECT_EQ(expected_utf8("a,b\n1,\0\n"s, 6), "UTF-8 text without NUL bytes");
}

}  // namespace
}  // namespace atl::io::test
