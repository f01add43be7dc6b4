#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "io/tables/arff/arff_reader.hpp"
#include "io/tables/csv/csv_reader.hpp"
#include "io/transactions/onehot_reader.hpp"
#include "io/transactions/sure_header.hpp"
#include "io/transactions/transaction_sink.hpp"
#include "src/core/error.hpp"
#include "tests/io/import_support.hpp"

namespace atl::io::test {
namespace {

using Baskets = std::vector<std::vector<std::string>>;

class OneHotTables : public FolderTest {
 protected:
  static std::unique_ptr<TableReader> table(const std::string& text, bool header = true) {
    auto source = std::make_unique<StringSource>(text, 7);
    if (text.starts_with("@")) return std::make_unique<ArffReader>(std::move(source), "t.csv");
    return std::make_unique<CsvReader>(std::move(source), "t.csv",
                                       CsvDialect{.delimiter = ',', .header = header});
  }
  Baskets read(const std::string& text, bool header = true) {
    reports.clear();
    const auto reader = table(text, header);
    const TransactionSet set = collected(
        [&](TransactionSink& sink) { return read_one_hot(*reader, "t.csv", report(), sink); });
    Baskets all;
    for (std::uint32_t t = 0; t < set.size(); ++t) {
      auto& basket = all.emplace_back();
      for (const std::uint32_t item : set.transaction(t)) basket.push_back(set.name(item));
    }
    return all;
  }
  void expect_bad(const std::string& text, const std::string& says) {
    EXPECT_EQ(message_of<BadData>([&] { read(text); }), says);
  }
};

TEST_F(OneHotTables, ItemsAreTheColumnsThatSayYes) {
  const Baskets expected = {
      {"bread", "milk"}, {"beer", "milk"}, {"bread", "milk"}, {"beer", "bread"}};
  EXPECT_EQ(read("milk,bread,beer\n1,1,0\n1,0,1\n1,1,0\n0,1,1\n"), expected);
  EXPECT_TRUE(reports.empty());
  EXPECT_EQ(read("milk,bread,beer\n1.0,1,0.0\n1,0,1\n1,1.0,0\n0,1,1e0\n"), expected);
  EXPECT_EQ(read("milk,bread,beer\nTrue,TRUE,f\ntrue,False,t\nT,true,F\nfalse,True,T\n"), expected);
  EXPECT_EQ(read("milk,bread,beer\nyes,1,False\nY,0,True\nYES,1,FALSE\nno,1,TRUE\n"), expected);
  EXPECT_EQ(read("milk,bread,beer\nt,y,?\nt,,1\nt,Y,NA\n?,y,1\n"), expected);
  EXPECT_EQ(reports,
            (std::vector<std::string>{
                "info: t.csv: 4 cells without a value (first in line 2), which are no items"}));
}

TEST_F(OneHotTables, RowsAndColumnsWithoutItems) {
  EXPECT_EQ(read("red wine,none,b\n1,0,0\n0,0,0\n"), (Baskets{{"\"red wine\""}, {}}));
  EXPECT_EQ(reports, (std::vector<std::string>{
                         "info: t.csv: 2 columns that no row has as an item: 'none', 'b'",
                         "info: t.csv: 1 transaction without items"}));
  EXPECT_EQ(read("1,0\n0,1\n", false), (Baskets{{"column_1"}, {"column_2"}}));
  EXPECT_THROW(read("a,b\n"), BadData);
}

TEST_F(OneHotTables, NamesThatComeAgainAreNoTransaction) {
  EXPECT_EQ(read("a,b\n1,0\na,b\n0,1\n"), (Baskets{{"a"}, {"b"}}));
  ASSERT_EQ(reports.size(), 1U);
  EXPECT_NE(reports[0].find("line 3"), std::string::npos) << reports[0];
}

TEST_F(OneHotTables, AnIndexIsLeftOut) {
  const Baskets expected = {{"a"}, {"b"}};
  for (const char* text :
       {",a,b\n0,1,0\n1,0,1\n", ",a,b\nx,1,0\ny,0,1\n", "Unnamed: 0,a,b\n0,1,0\n1,0,1\n",
        "tid,a,b\n0,1,0\n1,0,1\n", "T ID,a,b\nT1,1,0\nT2,0,1\n",
        "Transaction_ID,a,b\n7,1,0\n7,0,1\n", "column_1,a,b\n1,1,0\n2,0,1\n"}) {
    EXPECT_EQ(read(text), expected) << text;
    ASSERT_EQ(reports.size(), 1U) << text;
    EXPECT_NE(reports[0].find("is left out, as it numbers the rows"), std::string::npos) << text;
  }
  EXPECT_EQ(read("id,a\n1,1\n1,0\n"), (Baskets{{"a", "id"}, {"id"}})) << "an item of that name";
  EXPECT_EQ(read("column_1,column_2\n0,1\n1,0\n"), (Baskets{{"column_2"}, {"column_1"}}));
}

TEST_F(OneHotTables, OtherCellsAreRefusedWithTheirPlace) {
  const std::string nothing =
      "expected 1 or 0, true or false, yes or no, or nothing: a table of items has a column for "
      "each";
  expect_bad("a,b\n1,0\n0,x\n",
             "t.csv:3:2: found 'x', expected 1 or 0, or nothing, as above it in "
             "its column");
  expect_bad("a,b\n1,2\n", "t.csv:2:2: found '2', " + nothing);
  expect_bad("a,b\n-1,1\n", "t.csv:2:1: found '-1', " + nothing);
  expect_bad("a,b\nt,1\nn,0\n",
             "t.csv:3:1: found 'n', expected true or false, or nothing, as above it "
             "in its column");
  expect_bad("a,b\nyes,1\nmaybe,0\n",
             "t.csv:3:1: found 'maybe', expected yes or no, or nothing, as "
             "above it in its column");
  expect_bad("name,b\nann,1\n", "t.csv:2:1: found 'ann', " + nothing);
  expect_bad("a,a\n1,0\n", "t.csv: two columns have the name 'a', which would be that of an item");
}

TEST_F(OneHotTables, Arff) {
  EXPECT_EQ(
      read("@relation r\n@attribute A {'1','0'}\n@attribute B numeric\n@data\n'0',1\n'1',0\n"),
      (Baskets{{"B"}, {"A"}}));
  EXPECT_EQ(
      read("@relation r\n@attribute bread {t}\n@attribute milk { t}\n@attribute total {low,high}\n"
           "@data\nt,?,low\n?,t,high\nt,t,?\n"),
      (Baskets{{"bread", "total=low"}, {"milk", "total=high"}, {"bread", "milk"}}));
  EXPECT_EQ(reports.front(), "info: t.csv: the labels of 'total' are items, column=label");
}

TEST_F(OneHotTables, RandomTables) {
  std::mt19937 draw(5);
  const std::vector<std::pair<std::string, std::string>> words = {
      {"1", "0"}, {"True", "False"}, {"y", "N"}, {"t", "?"}};
  for (int round = 0; round < 20; ++round) {
    const std::size_t columns = 2 + draw() % 40;
    std::string text;
    for (std::size_t c = 0; c < columns; ++c) text += (c ? ",i" : "i") + std::to_string(c + 10);
    text += '\n';
    Baskets expected(1 + draw() % 60);
    for (auto& basket : expected) {
      for (std::size_t c = 0; c < columns; ++c) {
        const bool yes = draw() % 4 == 0;
        text += (c ? "," : "") + (yes ? words[c % 4].first : words[c % 4].second);
        if (yes) basket.push_back("i" + std::to_string(c + 10));
      }
      text += '\n';
    }
    EXPECT_EQ(read(text), expected) << text;
  }
}

TEST_F(OneHotTables, WideRows) {
  constexpr std::size_t columns = 20000;
  std::string text;
  for (std::size_t c = 0; c < columns; ++c) text += (c ? ",item" : "item") + std::to_string(c);
  for (int row = 0; row < 3; ++row) {
    text += '\n';
    for (std::size_t c = 0; c < columns; ++c)
      text += (c ? "," : "") + std::string(c % 7000 == 1 ? "1" : "0");
  }
  CsvReader reader(std::make_unique<StringSource>(text), "w.csv",
                   CsvDialect{.delimiter = ',', .header = true});
  const TransactionSet set = collected(
      [&](TransactionSink& sink) { return read_one_hot(reader, "w.csv", report(), sink); });
  EXPECT_EQ(set.supports(), (std::vector<std::uint32_t>{3, 3, 3}));
  EXPECT_EQ(set.names(), (std::vector<std::string>{"item1", "item14001", "item7001"}));
}

TEST_F(OneHotTables, IsRecognised) {
  const auto recognised = [&](const std::string& text) { return is_one_hot(*table(text)); };
  EXPECT_TRUE(recognised("a,b\n1,0\n"));
  EXPECT_TRUE(recognised("a,b\nTrue,False\nFalse,True\n"));
  EXPECT_TRUE(recognised(",a,b\n0,y,n\n1,n,\n"));
  EXPECT_TRUE(recognised("a,b,c\n1,0,0\n0,1,1\n0,x,0\n")) << "a slip";
  EXPECT_TRUE(recognised("a,b\n1,0\n0,1\n1\n")) << "a damaged row";
  EXPECT_FALSE(recognised("a,b\n0,0\n")) << "no yes";
  EXPECT_FALSE(recognised("a,b\n,\n"));
  EXPECT_FALSE(recognised("a\n1\n0\n")) << "one column";
  EXPECT_FALSE(recognised("id,a\n7,1\n8,0\n"));
  EXPECT_FALSE(recognised("a,b\n1,0\n2,1\n3,1\n"));
  EXPECT_FALSE(recognised("a,b,c\n1,0,red\n0,1,blue\n1,1,red\n"));
  EXPECT_FALSE(recognised("milk,bread\nbeer,nuts\n"));
  EXPECT_TRUE(
      recognised("@relation r\n@attribute a {t}\n@attribute b {t}\n@attribute c {u,v}\n@data\n"
                 "t,?,u\n"));
  EXPECT_FALSE(
      recognised("@relation r\n@attribute a {y,n}\n@attribute b {n,y}\n@attribute c {u,v}\n"
                 "@data\ny,n,u\n"))
      << "no may count as much";
}

TEST_F(OneHotTables, LeaveOutTheColumnThatIsSomethingElse) {
  const std::string text = "p,milk,bread\n0.5,1,0\n0.25,1,1\n";
  EXPECT_FALSE(is_one_hot(*table(text)));
  EXPECT_TRUE(is_one_hot(*table(text), "p"));
  EXPECT_FALSE(is_one_hot(*table(text), "q"));
  EXPECT_FALSE(is_one_hot(*table("p,milk\n0.5,1\n0.25,0\n"), "p")) << "one item";
  const auto reader = table(text);
  const TransactionSet set = collected(
      [&](TransactionSink& sink) { return read_one_hot(*reader, "t.csv", report(), sink, "p"); });
  EXPECT_EQ(set.names(), (std::vector<std::string>{"bread", "milk"}));
  EXPECT_EQ(set.supports(), (std::vector<std::uint32_t>{1, 2}));
  EXPECT_TRUE(reports.empty());
  expect_bad("milk,p,bread\n1,0.5,0\n",
             "t.csv:2:2: found '0.5', expected 1 or 0, true or false, yes or no, or nothing: a "
             "table of items has a column for each");
  const auto bad = table("milk,p,bread\n1,0.5,x\n");
  EXPECT_EQ(message_of<BadData>([&] {
              (void)collected([&](TransactionSink& sink) {
                return read_one_hot(*bad, "t.csv", report(), sink, "p");
              });
            }).substr(0, 10),
            "t.csv:2:3:");
}

TEST_F(OneHotTables, SureHeaders) {
  const auto sure = [&](const std::string& text) { return has_sure_header(*table(text)); };
  EXPECT_TRUE(sure("name,age\nann,30\nbob,\ncy,31\ndi,2\n"));
  EXPECT_TRUE(sure("name,born\nann,2001-02-03\nbob,2002-03-04\ncy,2003-04-05\n"));
  EXPECT_TRUE(sure("color,size\nred,big\nred,small\nblue,small\nblue,big\nred,big\n"));
  EXPECT_FALSE(sure("a,b\n1,2\n3,4\n")) << "two rows";
  EXPECT_FALSE(sure("2,5\n1,2\n3,4\n5,6\n")) << "numbers may be items";
  EXPECT_FALSE(sure("milk,bread\nbeer,nuts\nmilk,nuts\nbread,beer\nmilk,beer\nnuts,bread\n"));
  EXPECT_FALSE(sure("caviar,wine\nbeer,nuts\nmilk,nuts\nnuts,beer\nmilk,beer\nnuts,milk\n"))
      << "no item of the first line comes again, but others do in any place";
  std::string shared = "cap,gill\n";
  for (int row = 0; row < 30; ++row) shared += row % 3 ? "n,w\n" : "w,n\n";
  EXPECT_TRUE(sure(shared));
  EXPECT_FALSE(sure("a\nb\nb\nb\nb\nb\nb\n")) << "one column";
}

}  // namespace
}  // namespace atl::io::test
