// How texts of CSV are found to be written: what stands above the table, delimiter, quotes, names.
#include "io/tables/csv/csv_dialect.hpp"
#include "tests/io/import_support.hpp"

namespace atl::io::test {
namespace {

class Dialect : public testing::Test {
 protected:
  CsvDialect detect(const std::string& text, const DialectHints& hints = {}) {
    reports.clear();
    return detect_dialect({text, true}, "t.csv", hints, [this](Severity, const std::string& line) {
      reports.push_back(line.substr(line.find(": ") + 2));
    });
  }
  bool header(const std::string& text, const std::vector<std::string>& known = {}) {
    return detect(text, {.delimiter = ',', .names = known}).header;
  }
  std::string refusal(const std::string& text) {
    return message_of<BadCell>([&] { detect(text); });
  }
  /// The last line that was reported.
  std::string assumed() const { return reports.empty() ? "" : reports.back(); }

  std::vector<std::string> reports;
};

TEST_F(Dialect, FindsTheDelimiterThatSplitsRowsEvenly) {
  EXPECT_EQ(detect("a,b\n1,2\n").delimiter, ',');
  EXPECT_EQ(detect("a;b\n1,5;2,5\n").delimiter, ';');
  EXPECT_EQ(detect("a\tb c\n1\t2,3\n").delimiter, '\t');
  EXPECT_EQ(detect("a|b\n1|2\n").delimiter, '|');
  EXPECT_EQ(detect("genre,n\nAction|Comedy,1\nDrama,2\n").delimiter, ',');
  EXPECT_EQ(detect("a,b\n\"x;y\",1\n\"p;q\",2\n").delimiter, ',');
  EXPECT_EQ(detect("one\n1\n2\n").delimiter, ',');
  EXPECT_EQ(detect("a;b\n1\n2;3\n").delimiter, ';');
  EXPECT_EQ(detect("\"k\" \"y\"\n\"1\" 3 \"a b\"\n\"2\" 4 \"c\"\n").delimiter, ' ');
  EXPECT_EQ(detect("first last\nann lee\nbob cole\n").delimiter, ',') << "a column of text";
}

TEST_F(Dialect, NamesAreProvenByWordsAboveNumbersOrDates) {
  EXPECT_TRUE(header("a,b\n1,2\n"));
  EXPECT_EQ(assumed(), "assumed first line holds the names");
  EXPECT_TRUE(header("5,b\n1,2\n")) << "an odd name disproves nothing";
  EXPECT_TRUE(header(",a\nx,1\n"));
  EXPECT_TRUE(header("a,a\n1,2\n"));
  EXPECT_TRUE(header("a,,c\n1,2,3\n"));
  EXPECT_TRUE(header("target,age,1,2,3\ny,57,0,1,1\nn,58,0,1,2\n"));
  EXPECT_TRUE(header("day,x\n2020-01-01,a\n2020-01-02,x\n"));
  EXPECT_TRUE(header("x,x\nx,1\n")) << "this comes before what recurs";
  EXPECT_TRUE(header("x,price\nx,\"1.234,5\"\nx,\"7,25\"\n"));
  EXPECT_TRUE(header("x,share\nx,5%\nx,None\n"));
  EXPECT_TRUE(header("x,2020-01-01\nx,5\n")) << "a date above numbers";
  EXPECT_EQ(assumed(), "assumed first line holds the names");
}

TEST_F(Dialect, QuotesAroundTheFirstLineAloneProveNames) {
  EXPECT_TRUE(header("\"\",\"16.5\",\"17\"\n\"71\",0,17\n\"70\",0,0\n"));
  EXPECT_FALSE(header("\"5\",\"16.5\",\"17\"\n\"71\",\"0\",\"17\"\n"));
}

TEST_F(Dialect, AValueThatRecursSpeaksForData) {
  EXPECT_FALSE(header("m,yes\nf,no\nm,no\n"));
  EXPECT_EQ(assumed(), "assumed no header");
  EXPECT_FALSE(header("b,b,win\nx,o,win\n"));
  EXPECT_FALSE(header("5.1,3.5,setosa\n4.9,3.0,setosa\n"));
  EXPECT_FALSE(header("0,1\n3,4\n0,2\n")) << "before what counts up";
  EXPECT_FALSE(header("2020-01-01,b\n2020-01-02,c\n")) << "a date above dates";
  EXPECT_TRUE(header("NA,b\nNA,c\n")) << "no value is none that recurs";
  EXPECT_TRUE(header("a,b\n1,2\na,b\n3,4\n")) << "files joined end to end";
  EXPECT_TRUE(
      header("a,b\n1,2\n\xEF\xBB\xBF"
             "a,b\n3,4\n"));
}

TEST_F(Dialect, AWordAloneAboveLabelsThatRecurOutweighsNumbers) {
  std::string labels, classes;
  for (int i = 0; i < 12; ++i) {
    labels += std::to_string(i % 3) + "," + (i % 2 == 0 ? "w" : "x") + "\n";
    classes += (i % 2 == 0 ? "w," : "x,") + std::to_string(i % 4) + ",2\n";
  }
  EXPECT_TRUE(header("2,y\n" + labels));
  EXPECT_TRUE(header("class,1,2\n" + classes));
  EXPECT_FALSE(header("2,w\n" + labels));
  EXPECT_FALSE(header("2,y\n1,w\n2,x\n")) << "too few rows to tell";
}

TEST_F(Dialect, RowsThatRepeatTheFirstAreData) {
  EXPECT_FALSE(header("DE,Germany\nFR,France\nDE,Germany\n"));
  EXPECT_FALSE(header("k1,v1\nk2,v2\nk3,v3\nk1,v1\n"));
  EXPECT_TRUE(detect("a,b\n1,x\na,b\n2,y\n").proven) << "proven, and left out";
  EXPECT_FALSE(detect("0,1,2\n0,1,2\n2,1,0\n").proven) << "numbers may be values";
  EXPECT_FALSE(detect("a,b\nc,d\n").proven) << "not proven";
  EXPECT_TRUE(detect("a,b\nc,d\n", {.header = true}).proven);
  EXPECT_TRUE(detect("#a,b\nx,y\nz,w\n", {.header = true}).commented);
}

TEST_F(Dialect, NumbersAreNamesOnlyIfTheyCountUpOrAreYears) {
  EXPECT_TRUE(header("0,1,2\n0.5,0.25,0.125\n0.3,0.2,0.7\n"));
  EXPECT_TRUE(header("1,2,3\n0.5,0.25,0.125\n0.3,0.2,0.7\n"));
  EXPECT_TRUE(header(",0,1\n7,0.25,0.125\n9,0.2,0.7\n"));
  EXPECT_TRUE(header(",0,1\n0,0,1\n1,1,0\n")) << "nothing above what counts rows";
  EXPECT_TRUE(header("0,1,2\n0,0,0\n5,1,2\n")) << "though values recur";
  EXPECT_FALSE(header("1,2,3\n1,0,0\n5,1,2\n"));
  EXPECT_TRUE(header("1,2,3,4,5,6,7,8,9,10\n1,0,0,0,0,0,0,0,0,0\n0,1,2,0,4,5,6,7,8,0\n"));
  EXPECT_FALSE(header("2,3,4\n0.5,0.25,0.125\n"));
  EXPECT_FALSE(header("1,3,2\n0.5,0.25,0.125\n"));
  EXPECT_FALSE(header("7,8.5\n6,7.5\n"));
  EXPECT_FALSE(header("1\n2\n3\n")) << "one column";
  EXPECT_TRUE(header("2021,2022,2023\n10,20,30\n5,6,7\n"));
  EXPECT_FALSE(header("2021,2022\n2023,5\n2020,6\n")) << "years above years";
}

TEST_F(Dialect, InDoubtTheFirstLineHasTheNamesAndALineSaysSo) {
  const std::string doubt =
      "assumed first line holds the names, as nothing tells otherwise (else give --no-header)";
  for (const char* const text :
       {"sex,class\nm,yes\nf,no\n", "x,\ny,\n", "bob,\nal,3\n", "city,2020\nrome,x\noslo,y\n",
        "1,2,class\nx,y,p\nu,v,q\n", "name,grade,name\nann,good,x\nbob,bad,y\n",
        "region,2021,2022\nNorth,10,20\nSouth,5,6\n", "name,,grade\nann,,good\nbob,,bad\n"}) {
    EXPECT_TRUE(header(text)) << text;
    EXPECT_EQ(assumed(), doubt) << text;
  }
}

TEST_F(Dialect, KnownNamesDecide) {
  EXPECT_TRUE(header("m,yes\nf,no\nm,no\n", {"yes"}));
  EXPECT_TRUE(header("5,7\n6,8\n", {"5"}));
  EXPECT_FALSE(header("m,yes\nf,no\n", {"column_1", "column_2"}));
  EXPECT_TRUE(header("m,yes\nf,no\n", {"other"})) << "as without it";
  EXPECT_TRUE(header("m,yes\nf,no\n", {"column_3"})) << "there are two";
  EXPECT_TRUE(header("m,x\nf,1\n", {"column_1"})) << "what proves names comes first";
  EXPECT_TRUE(header(",x\na,b\n", {"column_1"})) << "that is the empty one";
}

TEST_F(Dialect, SkipsWhatStandsAboveTheTable) {
  CsvDialect dialect = detect("sep=;\na;b;c\n1;2;x\n3;4;y\n");
  EXPECT_EQ(dialect.delimiter, ';');
  EXPECT_EQ(dialect.skipped, 1U);
  EXPECT_EQ(reports, (std::vector<std::string>{"left out line 1 above the table",
                                               "assumed delimiter ';', line 2 holds the names"}));
  dialect = detect("Report of sales\n\nregion,units,class\nN,1,x\nS,2,y\n");
  EXPECT_EQ(dialect.skipped, 2U);
  EXPECT_EQ(dialect.delimiter, ',');
  EXPECT_TRUE(dialect.header);
  EXPECT_EQ(reports.front(),
            "left out lines 1 to 2 above the table, beginning with 'Report of sales'");
  dialect = detect("Report,,\nof sales,,\nregion,units,class\nN,1,x\nS,2,y\n");
  EXPECT_EQ(dialect.skipped, 2U) << "a spreadsheet fills up rows";
  dialect = detect("# exported 2020-01-01\n# by tool\na,b,c\n1,2,x\n3,4,y\n");
  EXPECT_EQ(dialect.skipped, 2U);
  EXPECT_FALSE(dialect.commented);
  dialect = detect("a,b\n1,2\n\n3,4\n");
  EXPECT_EQ(dialect.skipped, 0U);
}

TEST_F(Dialect, TakesNamesFromACommentOfAsManyFields) {
  CsvDialect dialect = detect("#a,b\n1,x\n2,y\n");
  EXPECT_TRUE(dialect.commented);
  EXPECT_EQ(dialect.skipped, 0U);
  dialect = detect("##meta\n#CHROM\tPOS\n1\t100\n2\t200\n");
  EXPECT_TRUE(dialect.commented);
  EXPECT_EQ(dialect.skipped, 1U);
  EXPECT_EQ(assumed(), "assumed delimiter tab, line 2 holds the names");
  dialect = detect("# of us, 2020\na,b\n1,2\n");
  EXPECT_FALSE(dialect.commented) << "the row below is proven to have the names";
  dialect = detect("#ff0000,red\n#00ff00,green\n");
  EXPECT_EQ(dialect.skipped, 0U) << "no comments, as nothing else is there";
}

TEST_F(Dialect, TakesNamesThatAreOneFewerOrOneMore) {
  EXPECT_EQ(detect("\"a\",\"b\"\n\"1\",5,6\n\"2\",7,8\n").names, NamesShape::row_names);
  EXPECT_EQ(detect("\"x\"\n\"1\",5\n\"2\",6\n").names, NamesShape::row_names);
  EXPECT_EQ(detect("a,b\n1,2,\n3,4,\n").names, NamesShape::open_end);
  EXPECT_EQ(detect("a,b,\n1,2\n3,4\n").names, NamesShape::closed);
  EXPECT_EQ(detect("title\na,b\n1,2\n3,4\n").skipped, 1U) << "not one name for two columns";
  EXPECT_EQ(refusal("x\n1,5\n2,7\n3,1\n"),
            "t.csv:1:2: found '1 field', expected 2 as in the lines below: take the line away if "
            "it is no part of the table, or give --delimiter");
}

TEST_F(Dialect, TakesSingleQuotesWhereAllAreWhole) {
  EXPECT_EQ(detect("'a','b','c'\n'1','x, y','u'\n'2','z','v'\n").quote, '\'');
  EXPECT_EQ(assumed(),
            "assumed delimiter ',', single quotes around fields, first line holds the names");
  EXPECT_EQ(detect("town,n\n's-Hertogenbosch,1\n't Harde,2\n").quote, '"');
  EXPECT_EQ(detect("a,b\n\"x\",'y'\n").quote, '"');
}

TEST_F(Dialect, RefusesMarksBehindEachRow) {
  EXPECT_EQ(refusal("a,b,c;;\n1,2,x;;\n3,4,y;;\n"),
            "t.csv:1:3: found 'c;;', expected no ';;' behind each row: take it away, or give "
            "--delimiter");
  EXPECT_EQ(detect("a,b\n1,x;\n2,y;\n").delimiter, ',') << "the names have none";
  EXPECT_EQ(detect("a,\"b;\"\n1,\"x;\"\n2,\"y;\"\n").delimiter, ',') << "part of the values";
}

}  // namespace
}  // namespace atl::io::test
