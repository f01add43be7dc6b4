#include <algorithm>
#include <numeric>

#include "io/tables/csv/csv_dialect.hpp"
#include "io/tables/csv/csv_reader.hpp"
#include "src/core/random.hpp"
#include "tests/io/import_support.hpp"

namespace atl::io::test {
namespace {

CsvReader reader(const std::string& text, char delimiter = ',', bool header = true,
                 std::size_t piece = 1 << 20) {
  return CsvReader(std::make_unique<StringSource>(text, piece), "t.csv",
                   CsvDialect{delimiter, header});
}

std::vector<std::string> names(const TableReader& reader) {
  std::vector<std::string> out;
  for (const DeclaredColumn& column : reader.columns()) out.push_back(column.name);
  return out;
}

Rows rows(const std::string& text, std::size_t piece = 1 << 20) {
  CsvReader csv = reader(text, ',', true, piece);
  return read_all(csv);
}

std::string failure(const std::string& text) {
  return message_of<BadCell>([&] { rows(text); });
}

TEST(CsvReader, SplitsFieldsAndTakesNamesFromTheHeader) {
  CsvReader csv = reader("a,b,c\n1,x,2.5\n3,,y\n");
  EXPECT_EQ(names(csv), (std::vector<std::string>{"a", "b", "c"}));
  std::vector<std::uint64_t> lines;
  EXPECT_EQ(read_all(csv, &lines), (Rows{{"1", "x", "2.5"}, {"3", "", "y"}}));
  EXPECT_EQ(lines, (std::vector<std::uint64_t>{2, 3}));
}

TEST(CsvReader, NamesColumnsByPositionWithoutHeader) {
  CsvReader csv = reader("1;2\n3;4\n", ';', false);
  EXPECT_EQ(names(csv), (std::vector<std::string>{"column_1", "column_2"}));
  EXPECT_EQ(read_all(csv), (Rows{{"1", "2"}, {"3", "4"}}));
}

TEST(CsvReader, ReadsQuotesEscapedQuotesAndLineFeedsWithinQuotes) {
  CsvReader csv = reader("a,b\n\"x,y\",\"say \"\"hi\"\"\"\n\"two\nlines\",\"\"\nplain,z\n");
  std::vector<std::uint64_t> lines;
  EXPECT_EQ(read_all(csv, &lines),
            (Rows{{"x,y", "say \"hi\""}, {"two\nlines", ""}, {"plain", "z"}}));
  EXPECT_EQ(lines, (std::vector<std::uint64_t>{2, 3, 5}));
}

TEST(CsvReader, TakesAQuoteWithinUnquotedTextAsItIs) {
  EXPECT_EQ(rows("a,b\n5\" disk,x\"y\"\n"), (Rows{{"5\" disk", "x\"y\""}}));
}

TEST(CsvReader, AcceptsEveryLineEndAndNoneOnTheLastLine) {
  EXPECT_EQ(rows("a,b\r\n1,2\r\n3,\"4\"\r\n"), (Rows{{"1", "2"}, {"3", "4"}}));
  EXPECT_EQ(rows("a,b\n1,2\r\n3,4"), (Rows{{"1", "2"}, {"3", "4"}}));
  EXPECT_EQ(rows("a,b\n1,2\n3,\"4\""), (Rows{{"1", "2"}, {"3", "4"}}));
}

TEST(CsvReader, SkipsByteOrderMarkAndBlankLines) {
  CsvReader csv = reader(
      "\xEF\xBB\xBF"
      "a,b\n1,2\n\n  \n3,4\n\n\r\n\n");
  EXPECT_EQ(names(csv), (std::vector<std::string>{"a", "b"}));
  std::vector<std::uint64_t> lines;
  EXPECT_EQ(read_all(csv, &lines), (Rows{{"1", "2"}, {"3", "4"}}));
  EXPECT_EQ(lines, (std::vector<std::uint64_t>{2, 5}));
  EXPECT_EQ(rows("only\n1\n\n\"\"\n2\n"), (Rows{{"1"}, {""}, {""}, {"2"}}));
}

TEST(CsvReader, TakesBlankLinesBetweenRowsOfOneColumnForRows) {
  const Rows expected = {{"5"}, {""}, {"30"}, {""}, {""}, {"35"}};
  for (const std::size_t piece : {1, 2, 3, 7, 1000}) {
    EXPECT_EQ(rows("x\n5\n\n30\n\n  \n35\n", piece), expected);
    EXPECT_EQ(rows("\n \nx\r\n5\r\n\t\r\n30\r\n\r\n\r\n35\r\n\r\n\n", piece), expected);
    EXPECT_EQ(rows("x\n5\n\n30\n\n\n35\n\n\n ", piece), expected) << "none at the end";
    EXPECT_EQ(rows("x\n\n5\n\"\"\n\n\"\"\n\n", piece), (Rows{{""}, {"5"}, {""}, {""}, {""}}));
    EXPECT_EQ(rows("a,b\n1,2\n\n3,4\n\n", piece), (Rows{{"1", "2"}, {"3", "4"}}));
    EXPECT_EQ(rows("x\n\n\n", piece), Rows());
  }
  CsvReader csv = reader("x\n5\n\n30\n\n\n35\n\n", ',', true, 3);
  std::vector<std::uint64_t> lines;
  read_all(csv, &lines);
  EXPECT_EQ(lines, (std::vector<std::uint64_t>{2, 3, 4, 5, 6, 7}));
}

TEST(CsvReader, TakesAnyNumberOfBlankLinesForRows) {
  const std::size_t blank = 2 * block_fields + 7;
  CsvReader csv = reader("x\n1\n" + std::string(blank, '\n') + "2\n" + std::string(blank, '\n'));
  std::vector<std::uint64_t> lines;
  const Rows all = read_all(csv, &lines);
  ASSERT_EQ(all.size(), blank + 2);
  EXPECT_EQ(all[blank], Rows::value_type{""});
  EXPECT_EQ(all[1], Rows::value_type{""});
  EXPECT_EQ(all.back(), Rows::value_type{"2"});
  for (std::size_t i = 0; i < lines.size(); ++i) ASSERT_EQ(lines[i], i + 2);
}

TEST(CsvReader, ReadsManyRowsOfManyColumnsAtOnce) {
  const std::size_t columns = 6000, rows = 100;
  std::string row = "0.123456";
  for (std::size_t i = 1; i < columns; ++i) row += ",-7.654321";
  std::string text;
  for (std::size_t i = 0; i < rows; ++i) text += row + "\n";
  CsvReader csv = reader(text, ',', false);
  RowBlock block;
  std::vector<std::size_t> read;
  while (csv.next(block)) {
    ASSERT_EQ(block.fields.size(), block.rows * columns);
    EXPECT_EQ(block.fields.back(), "-7.654321");
    read.push_back(block.rows);
  }
  EXPECT_EQ(std::accumulate(read.begin(), read.end(), std::size_t{0}), rows);
  EXPECT_EQ(*std::max_element(read.begin(), read.end()), 32);
  EXPECT_LE(read.size(), 8);  // the first row comes alone, the next before the window is larger
}

TEST(CsvReader, StripsBlanksAroundFieldsButNotWithinQuotes) {
  EXPECT_EQ(rows("a, b \n 39, State-gov \n\t\" x \" ,  \n"),
            (Rows{{"39", "State-gov"}, {" x ", ""}}));
}

TEST(CsvReader, GivesTheSameRowsHoweverTheTextArrives) {
  const std::string text =
      "name,note\r\n\"O\"\"Hara\",\"a\nb\"\nZo\xC3\xAB,\xE2\x82\xAC 5\r\n,\"\"\n";
  const Rows expected{{"O\"Hara", "a\nb"}, {"Zo\xC3\xAB", "\xE2\x82\xAC 5"}, {"", ""}};
  for (std::size_t piece = 1; piece < 12; ++piece) EXPECT_EQ(rows(text, piece), expected) << piece;
}

TEST(CsvReader, ReadsTablesLongerThanItsWindow) {
  std::string text = "id,text\n";
  Rows expected;
  for (int i = 0; i < 60000; ++i) {
    const std::string n = std::to_string(i);
    const bool special = i % 7 == 0;
    text += n + ",\"v" + n + (special ? "\"\"\n" : "") + "\"\n";
    expected.push_back({n, std::string("v").append(n).append(special ? "\"\n" : "")});
  }
  EXPECT_EQ(rows(text), expected);
}

/// Fields that each need another way of splitting, and how they are written.
struct Written {
  const char* text;
  const char* field;
};
constexpr Written written[] = {{"1", "1"},       {"12.5", "12.5"},       {"", ""},
                               {" x ", "x"},     {"a b", "a b"},         {"\"q\"", "q"},
                               {"\tt", "t"},     {"\"a,\nb\"", "a,\nb"}, {"\"\"\"\"", "\""},
                               {" \" \" ", " "}, {"a\"b", "a\"b"},       {"\"a\rb\"", "a\rb"}};

TEST(CsvReader, SplitsEveryMixtureOfPlainAndOtherFields) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    RandomStream stream({seed, 0, 0, 0, Purpose::test});
    const std::uint64_t columns = 2 + stream.below(7);
    const double plain = stream.below(2) == 0 ? 0.98 : 0.5;
    std::string text;
    Rows expected;
    for (std::uint64_t row = 0; row < 120; ++row) {
      if (row > 0 && stream.chance(0.05)) text += "\n";
      expected.emplace_back();
      for (std::uint64_t column = 0; column < columns; ++column) {
        const Written& field = written[stream.chance(plain) ? stream.below(3) : stream.below(12)];
        text.append(column > 0 ? "," : "").append(field.text);
        expected.back().push_back(field.field);
      }
      text += stream.chance(0.3) ? "\r\n" : "\n";
    }
    CsvReader csv = reader(text, ',', false, 1 + stream.below(300));
    ASSERT_EQ(read_all(csv), expected) << seed;
  }
}

TEST(CsvReader, ReadsWideRows) {
  std::string text;
  for (int row = -1; row < 3; ++row) {
    for (int i = 0; i < 100000; ++i) {
      text += i > 0 ? "," : "";
      text += row < 0 ? "name_" : "";
      text += std::to_string(row < 0 ? i : i * row);
    }
    text += '\n';
  }
  const Rows all = rows(text);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[2].size(), 100000U);
  EXPECT_EQ(all[2].back(), "199998");
}

TEST(CsvReader, RefusesARaggedRowNamingItsLine) {
  EXPECT_EQ(failure("a,b,c\n1,2,3\n1,2\n"), "t.csv:3:3: found '2 fields', expected 3 as in line 1");
  EXPECT_EQ(failure("\n\na,b\n\"x\ny\",2\n1,2,3\n"),
            "t.csv:6:3: found '3 fields', expected 2 as in line 3");
}

TEST(CsvReader, RefusesAnUnclosedQuoteNamingWhereItBegan) {
  EXPECT_EQ(failure("a,b\n1,2\n3,\"open\n5,6\n"),
            "t.csv:3:2: found 'an unclosed quote', expected a closing quote before the end of the "
            "file");
  EXPECT_EQ(failure("a,b\n\"x\ny\",\"\"\"\n"),
            "t.csv:3:2: found 'an unclosed quote', expected a closing quote before the end of the "
            "file");
}

TEST(CsvReader, RefusesTextBehindAClosingQuote) {
  EXPECT_EQ(failure("a,b\n1,\"x\"y\n"),
            "t.csv:2:2: found 'y', expected a delimiter or the line's end after a closing quote");
}

TEST(CsvReader, RefusesNulAndInvalidUtf8NamingThePlace) {
  EXPECT_EQ(failure(std::string("a,b\n1,2\n3,4\0\n", 13)),
            "t.csv:3:2: found '\\x00', expected UTF-8 text without NUL bytes");
  const std::string western =
      "expected UTF-8 text; it is likely cp1252 (Western European), which --encoding cp1252 reads";
  EXPECT_EQ(failure("a,b\n1,2\ncaf\xE9,4\n"), "t.csv:3:1: found '\\xe9', " + western);
  EXPECT_EQ(failure("a,b\n1,\"x\ny\nx\xC3\"\n"), "t.csv:4:2: found '\\xc3', " + western);
  EXPECT_EQ(failure("a\n\xC3\xA9\nx\xE2\x82"),
            "t.csv:3:1: found '\\xe2', expected UTF-8 text; the file ends within a letter");
}

TEST(CsvReader, RefusesARowBeyondItsLimit) {
  EXPECT_EQ(failure("a,b\n1," + std::string(max_row_bytes, 'x') + "\n"),
            "t.csv:2:2: found 'a row of more than 64 MiB', expected a row of at most 64 MiB");
  EXPECT_EQ(failure("a,b\n1,\"" + std::string(max_row_bytes, 'x')),
            "t.csv:2:2: found 'an unclosed quote', expected a closing quote within 64 MiB");
}

TEST(CsvReader, RefusesCarriageReturnsThatEndNoLine) {
  const std::string expected =
      ", expected line ends of LF or CR LF, and other carriage returns in quotes";
  const auto fails = [&](const std::string& text, const std::string& place_and_found) {
    EXPECT_EQ(failure(text), "t.csv:" + place_and_found + expected) << text;
  };
  fails("a,b\r1,2\r3,4\r", "1:2: found 'b\\x0d1'");
  fails("a\r1\r3", "1:1: found 'a\\x0d1\\x0d3'");
  fails("a\rb,c\r\n1,2\r\n", "1:1: found 'a\\x0db'");
  fails("a,b\r\r\n1,2\r\r\n", "1:2: found 'b\\x0d'");
  fails("a,b\n\r1,2\n\r3,4\n\r", "2:1: found '\\x0d1'");
  fails("a,b\n1,2\r\r\n", "2:2: found '2\\x0d'");
  fails("a,b\n1,2\r \n", "2:2: found '2\\x0d'");
  fails("a,b\n1,2\n\"x\ry\",\r\r\n", "3:2: found '\\x0d'");
}

// Wherever among the blocks of 64 bytes and the windows they stand.
TEST(CsvReader, TellsLineEndsFromCarriageReturnsAlone) {
  for (std::size_t length = 0; length < 200; ++length) {
    const std::string long_field(length, 'x');
    EXPECT_EQ(rows("a,b\r\n1," + long_field + "\r\n3,\"4\r\"\r\n").size(), 2U) << length;
    EXPECT_NE(failure("a,b\r\n1," + long_field + "\r\r\n3,4\r\n"), "") << length;
    EXPECT_NE(failure("a,b\r\n1,\"" + long_field + "\"\r\n3,4\r5\r\n"), "") << length;
  }
}

TEST(CsvReader, RefusesABlankText) {
  EXPECT_EQ(message_of<BadData>([] { reader("\n \n\r\n"); }), "t.csv: is blank, expected a table");
}

TEST(CsvReader, LeavesOutRowsThatRepeatTheNames) {
  const std::string text = "a,b\n1,x\na,b\n2,y\na,y\n\"a\",b\n";
  for (const std::size_t piece : {1, 3, 100}) {
    CsvReader csv = reader(text, ',', true, piece);
    std::vector<std::uint64_t> lines;
    EXPECT_EQ(read_all(csv, &lines), (Rows{{"1", "x"}, {"2", "y"}, {"a", "y"}}));
    EXPECT_EQ(lines, (std::vector<std::uint64_t>{2, 4, 5}));
    EXPECT_EQ(csv.lines_of_repeated_names(), (std::vector<std::uint64_t>{3, 6}));
  }
  EXPECT_EQ(rows("a\n1\na\n"), (Rows{{"1"}, {"a"}})) << "one column: it may be a value";
  CsvReader csv = reader("a,b\na,b\n", ',', false);
  EXPECT_EQ(read_all(csv), (Rows{{"a", "b"}, {"a", "b"}}));
}

TEST(CsvReader, PassesOverMarksWhereFilesWereJoined) {
  const std::string mark = "\xEF\xBB\xBF";
  CsvReader csv = reader(mark + mark + "a,b\n1,x\n" + mark + "a,b\n" + mark + "2,y\n");
  EXPECT_EQ(names(csv), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(read_all(csv), (Rows{{"1", "x"}, {"2", "y"}}));
}

TEST(CsvReader, ReadsRowsBelowOtherLinesAndInSingleQuotes) {
  const auto read = [](const std::string& text, const CsvDialect& dialect, std::size_t piece) {
    CsvReader csv(std::make_unique<StringSource>(text, piece), "t.csv", dialect);
    return read_all(csv);
  };
  for (const std::size_t piece : {1, 5, 100}) {
    EXPECT_EQ(read("title\n\"x\na,b\n1,'2, ''3'\n", {.quote = '\'', .skipped = 2}, piece),
              (Rows{{"1", "2, '3"}}));
    EXPECT_EQ(read("one\ntwo", {.skipped = 1}, piece), Rows{});
  }
  EXPECT_EQ(message_of<BadData>([&] { read("one\n", {.skipped = 5}, 100); }),
            "t.csv: is blank, expected a table");
}

}  // namespace
}  // namespace atl::io::test
