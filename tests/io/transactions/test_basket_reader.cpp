#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "io/transactions/basket_reader.hpp"
#include "io/transactions/transaction_sink.hpp"
#include "src/core/error.hpp"
#include "tests/io/import_support.hpp"

namespace atl::io::test {
namespace {

struct Read {
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> baskets;
  std::vector<std::string> said;
};

Read read(const std::string& text, char delimiter) {
  Read result;
  const Report report = [&](Severity, const std::string& line) { result.said.push_back(line); };
  const TransactionSet set = collected([&](TransactionSink& sink) {
    return read_baskets(std::make_unique<StringSource>(text), delimiter, "b.csv", report, sink);
  });
  result.names = set.names();
  for (std::uint32_t t = 0; t < set.size(); ++t) {
    auto& basket = result.baskets.emplace_back();
    for (const std::uint32_t item : set.transaction(t)) basket.push_back(set.name(item));
  }
  return result;
}

using Baskets = std::vector<std::vector<std::string>>;

TEST(BasketReader, ReadsNamesInTheOrderOfTheirBytes) {
  const Read r = read("milk,bread\nBeer,milk\n\xC3\xA4pfel\n", ',');
  EXPECT_EQ(r.names, (std::vector<std::string>{"Beer", "bread", "milk", "\xC3\xA4pfel"}));
  EXPECT_EQ(r.baskets, (Baskets{{"bread", "milk"}, {"Beer", "milk"}, {"\xC3\xA4pfel"}}));
  EXPECT_TRUE(r.said.empty());
}

TEST(BasketReader, BlanksAroundNamesAndEmptyNamesCountNothing) {
  const Read r = read(" a ,\tb b , ,,\r\n,,\n\na", ',');
  EXPECT_EQ(r.baskets, (Baskets{{"a", "\"b b\""}, {}, {}, {"a"}}));
  ASSERT_EQ(r.said.size(), 1U);
  EXPECT_EQ(r.said[0], "b.csv: 2 transactions without items");
}

TEST(BasketReader, AnyDelimiter) {
  EXPECT_EQ(read("a;b\n", ';').baskets, (Baskets{{"a", "b"}}));
  EXPECT_EQ(read("a\tb c\n\td\n", '\t').baskets, (Baskets{{"a", "\"b c\""}, {"d"}}));
  EXPECT_EQ(read("  a\tb  c \n", blanks).baskets, (Baskets{{"a", "b", "c"}}));
  EXPECT_EQ(read("a,b\n", '|').baskets, (Baskets{{"\"a,b\""}}));
}

TEST(BasketReader, QuotesHoldDelimitersAndQuotes) {
  EXPECT_EQ(read("\"a,b\" , \"say \"\"c\"\"\",d\"e\n\"\",f\n", ',').baskets,
            (Baskets{{"\"a,b\"", "\"d\\\"e\"", "\"say \\\"c\\\"\""}, {"f"}}));
  EXPECT_EQ(read("\"a b\" c\n", blanks).baskets, (Baskets{{"\"a b\"", "c"}}));
}

TEST(BasketReader, RepeatedItemsCountOnce) {
  const Read r = read("a,b\nb,a,b,a\n", ',');
  EXPECT_EQ(r.baskets, (Baskets{{"a", "b"}, {"a", "b"}}));
  ASSERT_EQ(r.said.size(), 1U);
  EXPECT_NE(r.said[0].find("2 items repeated in the same line"), std::string::npos) << r.said[0];
  EXPECT_NE(r.said[0].find("first in line 2"), std::string::npos) << r.said[0];
}

void expect_bad(const std::string& text, char delimiter, const std::string& says) {
  try {
    (void)read(text, delimiter);
    ADD_FAILURE() << text;
  } catch (const BadCell& error) {
    EXPECT_EQ(std::string(error.what()), says);
  }
}

TEST(BasketReader, TellsListsFromTables) {
  EXPECT_TRUE(looks_like_lists("a,b\nc\nd,e,f\n", ','));
  EXPECT_FALSE(looks_like_lists("a,b\nc,d\nd,e,f\n", ','));
  EXPECT_FALSE(looks_like_lists("a,b\nc\nd,e,f", ',')) << "the last line may be cut off";
  for (const char* lists : {"1 2\n3\n", "1 2\n\n", "1 2 9\n3 7 8\n", "7 1\n2\n",
                            "1\t2\r\n3\t40\r\n", "4 5", "1 99999999999999999999999\n2\n"}) {
    EXPECT_TRUE(lists_numbers(lists)) << lists;
  }
  for (const char* tables :
       {"", "1\n2\n", "5\n\n", "2 1\n3 4\n", "1 1\n", "1 a\n2\n", "-1 2\n3\n", "1 2\n2 1\n3 "}) {
    EXPECT_FALSE(lists_numbers(tables)) << tables;
  }
}

TEST(BasketReader, RefusesQuotesThatDoNotEnd) {
  expect_bad("a\nb,\"c\nd\"\n", ',',
             "b.csv:2:3: found '\"c', expected a closing quote in the same line");
  expect_bad("\"a\"b\n", ',',
             "b.csv:1:4: found 'b', expected the delimiter behind a closing quote");
  expect_bad("\"a\"b c\n", blanks,
             "b.csv:1:4: found 'b c', expected the delimiter behind a closing quote");
  expect_bad("a\nb, " + std::string(65537, 'c') + "\n", ',',
             "b.csv:2:4: found 'a name of more than 64 KiB', expected a name of an item");
  EXPECT_NO_THROW(read(std::string(65536, 'c'), ','));
  EXPECT_THROW(read(std::string("a,\0b\n", 5), ','), BadCell);
  EXPECT_THROW(read("a,\xFF\n", ','), BadCell);
}

TEST(BasketDelimiter, IsThatOfMostLines) {
  EXPECT_EQ(basket_delimiter("a,b\nc\nd;e,f\n"), ',');
  EXPECT_EQ(basket_delimiter("a b\tc\nd\te\n"), '\t');
  EXPECT_EQ(basket_delimiter("a;b,c\nd;e,f"), ';');
  EXPECT_EQ(basket_delimiter("a b\nc"), blanks);
  EXPECT_EQ(basket_delimiter(""), blanks);
}

TEST(BasketDelimiter, ATableHasAsManyInEachLine) {
  EXPECT_TRUE(looks_like_table("a,b\n1,2\n3,4\n", ','));
  EXPECT_TRUE(looks_like_table("a,b\n1,2\n3,4\n5", ','));  // the last line is cut off
  EXPECT_FALSE(looks_like_table("a,b\n1,2\n3,4", ','));    // two whole lines
  EXPECT_FALSE(looks_like_table("a,b\n1,2\n3\n", ','));
  EXPECT_FALSE(looks_like_table("a\nb\nc\n", ','));
  EXPECT_FALSE(looks_like_table("", ','));
}

TEST(BasketReader, TellsTheFirstLineThatIsNoListOfNumbers) {
  EXPECT_EQ(lists_of_numbers("1 5\n9 2 3\n4 -5\n1\n"), 2U);
  EXPECT_EQ(lists_of_numbers("1 5\r\n9 2 3\r\nmilk"), 2U);
  EXPECT_EQ(lists_of_numbers("1 5\n9 2 3"), 2U);
  EXPECT_EQ(lists_of_numbers("1 5\n9 2\n4 x\n"), 0U) << "a table";
  EXPECT_EQ(lists_of_numbers("a b\n1 5\n9 2 3\n"), 0U);
  EXPECT_EQ(lists_of_numbers(""), 0U);
}

TEST(BasketReader, StartsBehindAByteOrderMark) {
  StringSource text(
      "\xEF\xBB\xBF"
      "1 2\n");
  EXPECT_EQ(start_of(text), "1 2\n");
}

TEST(BasketDelimiter, FimiHasDigitsAlone) {
  EXPECT_TRUE(looks_like_fimi("1 2\r\n\n30\t4"));
  EXPECT_FALSE(looks_like_fimi("1 2\n-3"));
  EXPECT_FALSE(looks_like_fimi("1,2\n"));
}

}  // namespace
}  // namespace atl::io::test
