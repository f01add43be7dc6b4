#include "io/tables/arff_reader.hpp"
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
            "t.arff:2:18: found 'end of line', expected '}' after the labels");
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
            "t.arff:6:2: found '1 fields', expected 2, one for each attribute");
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
            "t.arff:5:3: found '\\xff', expected UTF-8 text (convert it, for instance with iconv)");
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
