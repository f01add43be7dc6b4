#include "io/tables/arff/arff_reader.hpp"
#include "tests/io/import_support.hpp"

namespace atl::io::test {
namespace {

ArffReader reader(const std::string& text) {
  return ArffReader(std::make_unique<StringSource>(text), "t.arff");
}

std::string failure(const std::string& text) {
  return message_of<BadCell>([&] {
    ArffReader arff = reader(text);
    read_all(arff);
  });
}

TEST(ArffReader, ReadsDeclarationsAndRows) {
  ArffReader arff = reader(
      "% a comment\r\n@RELATION weather\n\n@attribute outlook {sunny, 'over cast', rainy}\n"
      "@ATTRIBUTE \"the temp\" REAL\n@attribute n integer\n@attribute note string\n"
      "@attribute Class { yes,no}\n@DATA\n"
      "sunny, 21.5 ,3,its,yes\n% between\n'over cast',?,-1,\"a \\\"b\\\", c\",no\n");
  const std::vector<DeclaredColumn>& columns = arff.columns();
  ASSERT_EQ(columns.size(), 5U);
  EXPECT_EQ(columns[0].name, "outlook");
  EXPECT_EQ(columns[0].kind, AttributeKind::nominal);
  EXPECT_EQ(columns[0].labels, (std::vector<std::string>{"sunny", "over cast", "rainy"}));
  EXPECT_EQ(columns[1].name, "the temp");
  EXPECT_EQ(columns[1].kind, AttributeKind::numeric);
  EXPECT_EQ(columns[2].kind, AttributeKind::numeric);
  EXPECT_EQ(columns[3].kind, AttributeKind::nominal);
  EXPECT_TRUE(columns[3].labels.empty());
  EXPECT_FALSE(columns[0].target);
  EXPECT_TRUE(columns[4].target);
}

TEST(ArffReader, ReadsTheFormatsOfDates) {
  const auto declared = [](const std::string& type) {
    ArffReader arff = reader("@relation r\n@attribute when " + type + "\n@data\n");
    return arff.columns().front();
  };
  EXPECT_EQ(declared("date").kind, AttributeKind::date_time);
  EXPECT_EQ(declared("date").format, "");
  EXPECT_EQ(declared("DATE \"yyyy-MM-dd\"").kind, AttributeKind::date);
  EXPECT_EQ(declared("date \"yyyy-MM-dd\"").format, "%Y-%m-%d");
  EXPECT_EQ(declared("date 'd.M.yy'").format, "%d.%m.%y");
  EXPECT_EQ(declared("date \"yyyy-MM-dd'T'HH:mm:ss.SSSXXX\"").format, "%Y-%m-%dT%H:%M:%S.%f%z");
  EXPECT_EQ(declared("date \"yyyy-MM-dd'T'HH:mm:ss.SSSXXX\"").kind, AttributeKind::date_time_utc);
  EXPECT_EQ(declared("date \"EEE, d MMM yyyy HH:mm:ss XX\"").format, "%a, %d %b %Y %H:%M:%S %z");
  EXPECT_EQ(declared("date \"hh 'o''clock'% a mm, dd MMM yyyy\"").format,
            "%I o'clock%% %p %M, %d %b %Y");
}

TEST(ArffReader, ReadsValuesWithQuotesAndEscapes) {
  ArffReader arff = reader(
      "@relation r\n@attribute a string\n@attribute b numeric\n@data\n"
      "'it\\'s, here' , 5\n% comment\n\n  two words ,?\r\n\"x\",1e3");
  std::vector<std::uint64_t> lines;
  EXPECT_EQ(read_all(arff, &lines), (Rows{{"it's, here", "5"}, {"two words", "?"}, {"x", "1e3"}}));
  EXPECT_EQ(lines, (std::vector<std::uint64_t>{5, 8, 9}));
}

TEST(ArffReader, FillsSparseRows) {
  ArffReader arff = reader(
      "@relation r\n@attribute a numeric\n@attribute b {no,yes}\n@attribute c numeric\n@data\n"
      "{0 5, 1 yes}\n{}\n{2 -1.5}\n");
  EXPECT_EQ(read_all(arff), (Rows{{"5", "yes", "0"}, {"0", "no", "0"}, {"0", "no", "-1.5"}}));
}

TEST(ArffReader, ReadsKeel) {
  ArffReader arff = reader(
      "@relation iris\n@attribute SepalLength real [4.3, 7.9]\n@attribute n integer[0,10]\n"
      "@attribute Class{Iris-setosa, Iris-versicolor}\n@inputs SepalLength, n\n@outputs Class\n"
      "@data\n5.1, 3, Iris-setosa\n<null>, 4, Iris-versicolor\n");
  EXPECT_EQ(arff.columns()[1].name, "n");
  EXPECT_EQ(arff.columns()[2].labels, (std::vector<std::string>{"Iris-setosa", "Iris-versicolor"}));
  EXPECT_FALSE(arff.columns()[0].target);
  EXPECT_TRUE(arff.columns()[2].target);
  EXPECT_EQ(read_all(arff),
            (Rows{{"5.1", "3", "Iris-setosa"}, {"<null>", "4", "Iris-versicolor"}}));
}

TEST(ArffReader, RefusesBadHeadersNamingThePlace) {
  EXPECT_EQ(failure("@relation r\n@attribute d relational\n@data\n1\n"),
            "t.arff:2:14: found 'relational', expected numeric, real, integer, date, string or "
            "{labels}; relations are not read");
  for (const std::string format : {"yyyy", "yyyy-MM-dd'T", "yyyy-MM-dd z", "yyyy-MM-dd mm", ""}) {
    EXPECT_EQ(failure("@relation r\n@attribute d date \"" + format + "\"\n@data\n1\n"),
              "t.arff:2:19: found '\"" + format +
                  "\"', expected a date's format such as \"yyyy-MM-dd HH:mm:ss\"");
  }
  EXPECT_EQ(failure("@relation r\n@attribute a {x,y\n@data\nx\n"),
            "t.arff:2:18: found 'end of line', expected '}' after the labels, on the same line");
  EXPECT_EQ(
      failure("@relation r\n@attribute a {5%, 10%}\n@data\n5\n"),
      "t.arff:2:16: found 'a comment, as % outside quotes begins one', expected '}' after the "
      "labels, on the same line");
  EXPECT_EQ(failure("@relation r\n@attribute a {x,y,x}\n@data\nx\n"),
            "t.arff:2:20: found '}', expected labels that differ");
  EXPECT_EQ(failure("@relation r\n@attribute 'a numeric\n@data\n1\n"),
            "t.arff:2:12: found ''a numeric', expected a closing quote on the same line");
  EXPECT_EQ(failure("@relation r\n@atribute a numeric\n"),
            "t.arff:2:1: found '@atribute a numeric', expected @relation, @attribute, @inputs, "
            "@outputs or @data");
  EXPECT_EQ(failure("@relation r\n@attribute Class {a,b}\n@outputs clas\n@data\na\n"),
            "t.arff:3:10: found 'clas', expected the name of an attribute, did you mean 'Class'?");
  EXPECT_EQ(failure("@relation r\n@data\n"),
            "t.arff:2:1: found '@data', expected an @attribute before @data");
  EXPECT_EQ(message_of<BadData>([] { reader("@relation r\n@attribute a numeric\n"); }),
            "t.arff: has no @data, expected it after the attributes");
}

TEST(ArffReader, RefusesBadRowsNamingThePlace) {
  const std::string header = "@relation r\n@attribute a numeric\n@attribute b {x,y}\n@data\n";
  EXPECT_EQ(failure(header + "1,x\n1\n"),
            "t.arff:6:2: found '1 field', expected 2, one for each attribute");
  EXPECT_EQ(failure(header + "1,x,2\n"),
            "t.arff:5:3: found '3 fields', expected 2, one for each attribute");
  EXPECT_EQ(failure(header + "1,'x\n"),
            "t.arff:5:3: found ''x', expected a closing quote on the same line");
  EXPECT_EQ(failure(header + "{2 x}\n"),
            "t.arff:5:2: found '2 x}', expected the number of an attribute, from 0 to 1, each at "
            "most once");
  EXPECT_EQ(failure(header + "{1 x, 1 y}\n"),
            "t.arff:5:7: found '1 y}', expected the number of an attribute, from 0 to 1, each at "
            "most once");
  EXPECT_EQ(failure(header + "{1 x\n"),
            "t.arff:5:5: found 'end of line', expected '}' after a sparse row");
  EXPECT_EQ(failure(header + "1,\xFF\n"),
            "t.arff:5:3: found '\\xff', expected UTF-8 text; --encoding names another one, such as "
            "cp1251 (Cyrillic), cp1253 (Greek) or koi8-r");
}

TEST(ArffReader, TakesWhatFollowsAPercentSignOutsideQuotesForAComment) {
  ArffReader arff = reader(
      "@relation r % kg\n  % alone\n@attribute s string%of words\n@attribute a numeric % kg\n"
      "@attribute c {'5%',\"%\"} %{low, high}\n@data % rows\n"
      "foo % first\n,1,'5%'\n");
  EXPECT_EQ(arff.columns()[0].name, "s");
  EXPECT_EQ(arff.columns()[2].labels, (std::vector<std::string>{"5%", "%"}));
  const std::string header =
      "@relation r\n@attribute s string\n@attribute a numeric\n@attribute c {'5%',b}\n@data\n";
  ArffReader rows = reader(header +
                           "foo,1,'5%' %first\nbar,2,b%second\n'a % b', 3 ,\"5%\"\n"
                           "\t% none\n'it\\'s % x',4,b % it's\n{0 x, 1 5 % , 2 b\n}");
  RowBlock block;
  EXPECT_EQ(message_of<BadCell>([&] { rows.next(block); }),
            "t.arff:11:11: found 'a comment, as % outside quotes begins one', expected '}' after a "
            "sparse row");
  ArffReader good = reader(header +
                           "foo,1,'5%' %first\nbar,2,b%second\n'a % b', 3 ,\"5%\"\n"
                           "\t% none\n'it\\'s % x',4,b % it's\n{0 x, 1 5} % {\n");
  EXPECT_EQ(read_all(good), (Rows{{"foo", "1", "5%"},
                                  {"bar", "2", "b"},
                                  {"a % b", "3", "5%"},
                                  {"it's % x", "4", "b"},
                                  {"x", "5", "5%"}}));
}

TEST(ArffReader, ReadsQuotedLabelsWithCommentsAndRanges) {
  ArffReader letters = reader(
      "@relation transactions\n@attribute A {'1','0'}\n@attribute C {'1','0'}\n@data\n"
      "'0','1' %first\n'1','0' %4\n");
  EXPECT_EQ(read_all(letters), (Rows{{"0", "1"}, {"1", "0"}}));
  ArffReader legs = reader(
      "@relation zoo\n@attribute legs INTEGER [0,9]\n@attribute type { mammal, bird, reptile }\n"
      "@data\n4,mammal\n4,  reptile\n");
  EXPECT_EQ(legs.columns()[1].labels, (std::vector<std::string>{"mammal", "bird", "reptile"}));
  EXPECT_EQ(read_all(legs), (Rows{{"4", "mammal"}, {"4", "reptile"}}));
  ArffReader weights = reader(
      "@relation r\n@attribute a numeric % kg\n@attribute label {-1,1} %{low, high}\n@data\n"
      "1,-1\n3,1 % checked\n");
  EXPECT_EQ(weights.columns()[1].labels, (std::vector<std::string>{"-1", "1"}));
  EXPECT_EQ(read_all(weights), (Rows{{"1", "-1"}, {"3", "1"}}));
}

TEST(ArffReader, KeepsAPercentSignWithoutWhichARowWouldBeTooShort) {
  const std::string header = "@relation r\n@attribute s string\n@attribute a numeric\n@data\n";
  ArffReader arff = reader(header + "foo % x,1\nfoo,2 % last\n50%,3\n");
  EXPECT_EQ(read_all(arff), (Rows{{"foo % x", "1"}, {"foo", "2"}, {"50%", "3"}}));
  EXPECT_EQ(failure(header + "foo % x,1,2\n"),
            "t.arff:5:2: found '1 field', expected 2, one for each attribute; % outside quotes "
            "begins a comment");
  EXPECT_EQ(failure(header + "'foo,1 % x\n"),
            "t.arff:5:1: found ''foo,1 % x', expected a closing quote on the same line");
}

TEST(ArffReader, SplitsRowsWithoutCommasAtTabsOrBlanks) {
  const std::string header =
      "@relation r\n@attribute a numeric\n@attribute b numeric\n@attribute c {'big cat',dog}\n"
      "@data\n";
  ArffReader arff = reader(header +
                           "1\t2\tdog\n0 ? \"big cat\"\n  3   4\t dog  \n5\t6\tbig cat\n"
                           "'7' 8 'big cat'\n9 10 dog % last\n");
  EXPECT_EQ(read_all(arff), (Rows{{"1", "2", "dog"},
                                  {"0", "?", "big cat"},
                                  {"3", "4", "dog"},
                                  {"5", "6", "big cat"},
                                  {"7", "8", "big cat"},
                                  {"9", "10", "dog"}}));
  EXPECT_EQ(failure(header + "1 2 big cat\n"),
            "t.arff:6:4: found '4 fields', expected 3, one for each attribute");
  EXPECT_EQ(failure(header + "1 dog\n"),
            "t.arff:6:3: found '2 fields', expected 3, one for each attribute");
  EXPECT_EQ(failure(header + "'1'2 3 dog\n"),
            "t.arff:6:2: found '1 field', expected 3, one for each attribute");
  EXPECT_EQ(failure(header + "1 2 'big cat'}\n"),
            "t.arff:6:2: found '1 field', expected 3, one for each attribute");
}

TEST(ArffReader, KeepsBlanksWithinValuesBetweenCommas) {
  const std::string header = "@relation r\n@attribute a string\n@attribute b numeric\n@data\n";
  ArffReader arff = reader(header +
                           "big cat,1\nrock 'n roll,2\n5\" pipe,3\nsay 'x' now,4\n\"a,b\" 5\n"
                           "don't,6\n");
  EXPECT_EQ(read_all(arff), (Rows{{"big cat", "1"},
                                  {"rock 'n roll", "2"},
                                  {"5\" pipe", "3"},
                                  {"say 'x' now", "4"},
                                  {"a,b", "5"},
                                  {"don't", "6"}}));
  // Cut at commas it would have two values, too.
  ArffReader quoted =
      reader("@relation r\n@attribute a numeric\n@attribute b string\n@data\n0 \"a,b\"\n");
  EXPECT_EQ(read_all(quoted), (Rows{{"0", "a,b"}}));
}

TEST(ArffReader, SplitsMixedRowsIfAllValuesAreAsDeclared) {
  const std::string header =
      "@relation r\n@attribute a numeric\n@attribute b numeric\n@attribute c {x,y}\n@data\n";
  ArffReader arff = reader(header + "1 2,x\n3, ? 'y'\n4,5 x\n");
  EXPECT_EQ(read_all(arff), (Rows{{"1", "2", "x"}, {"3", "?", "y"}, {"4", "5", "x"}}));
  EXPECT_EQ(failure("@relation r\n@attribute a string\n@attribute b string\n"
                    "@attribute c numeric\n@data\nbig cat,1\n"),
            "t.arff:6:3: found '2 fields', expected 3, one for each attribute");
}

TEST(ArffReader, PassesOverACommaAtTheEnd) {
  const std::string header = "@relation r\n@attribute a numeric\n@attribute b {x,y,}\n@data\n";
  ArffReader arff = reader(header + "1,x,\n2,y , \n3,x\n,y\n5,\n");
  EXPECT_EQ(arff.columns()[1].labels, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(read_all(arff), (Rows{{"1", "x"}, {"2", "y"}, {"3", "x"}, {"", "y"}, {"5", ""}}));
  EXPECT_EQ(failure(header + "1,x,,\n"),
            "t.arff:5:3: found '4 fields', expected 2, one for each attribute");
  EXPECT_EQ(failure(header + "1,x,''\n"),
            "t.arff:5:3: found '3 fields', expected 2, one for each attribute");
}

TEST(ArffReader, ReadsLabelsBetweenBlanks) {
  const auto labels = [](const std::string& list) {
    ArffReader arff = reader("@relation r\n@attribute a " + list + "\n@data\n");
    return arff.columns().front().labels;
  };
  EXPECT_EQ(labels("{a b  c}"), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(labels("{ 'a b'\t\"c\" }"), (std::vector<std::string>{"a b", "c"}));
  EXPECT_EQ(labels("{big cat, dog }"), (std::vector<std::string>{"big cat", "dog"}));
  EXPECT_EQ(labels("{'1','0'}"), (std::vector<std::string>{"1", "0"}));
  EXPECT_EQ(labels("{1, 0} % one or none"), (std::vector<std::string>{"1", "0"}));
  EXPECT_EQ(labels("{}"), std::vector<std::string>{});
}

TEST(ArffReader, ReadsSparseRowsWithoutCommas) {
  const std::string header =
      "@relation r\n@attribute a string\n@attribute b numeric\n@attribute c {x,y}\n@data\n";
  ArffReader arff = reader(header + "{0 foo 1 5}\n{0 'a b' 2 y}\n{0 big cat}\n{1 5 , 2 y ,}\n");
  EXPECT_EQ(read_all(arff),
            (Rows{{"foo", "5", "x"}, {"a b", "0", "y"}, {"big cat", "0", "x"}, {"0", "5", "y"}}));
  EXPECT_EQ(failure(header + "{0 foo 1 5, 2 y}\n"),
            "t.arff:6:4: found 'foo 1 5, 2 y}', expected a comma behind each value, or quotes "
            "around one with blanks");
}

TEST(ArffReader, RefusesWeightsOfRows) {
  const std::string header = "@relation r\n@attribute a string\n@attribute b {x,y}\n@data\n";
  const std::string expected =
      "expected a row without a weight in braces behind it, as rows are counted alike";
  EXPECT_EQ(failure(header + "1,x,{5}\n"), "t.arff:5:1: found '1,x,{5}', " + expected);
  EXPECT_EQ(failure(header + "1,x {0.5} \n"), "t.arff:5:1: found '1,x {0.5} ', " + expected);
  EXPECT_EQ(failure(header + "1 x {2}\n"), "t.arff:5:1: found '1 x {2}', " + expected);
  EXPECT_EQ(failure(header + "{1 y}, {5}\n"), "t.arff:5:6: found ', {5}', " + expected);
}

TEST(ArffReader, RefusesCarriageReturnsThatEndNoLine) {
  EXPECT_EQ(failure("@relation r\r\r\n@attribute a numeric\r\n@data\r\n1\r\n"),
            "t.arff:1:12: found '\\x0d', expected line ends of LF or CR LF");
  EXPECT_EQ(failure("@relation r\n@attribute a numeric\n@data\n1\n\r2\n"),
            "t.arff:5:1: found '\\x0d2', expected line ends of LF or CR LF");
  EXPECT_EQ(failure("% all\r@relation r\r"),
            "t.arff:1:6: found '\\x0d@relation r', expected line ends of LF or CR LF");
}

TEST(ArffReader, IsRecognisedByItsFirstWord) {
  const auto looks = [](const std::string& text) {
    StringSource source(text);
    return looks_like_arff(source);
  };
  EXPECT_TRUE(looks("% note\n\n  @Relation x\n"));
  EXPECT_TRUE(looks("\xEF\xBB\xBF@ATTRIBUTE a real\n"));
  EXPECT_FALSE(looks("a,b\n1,2\n"));
  EXPECT_FALSE(looks("% only comments"));
  EXPECT_FALSE(looks(""));
}

}  // namespace
}  // namespace atl::io::test
