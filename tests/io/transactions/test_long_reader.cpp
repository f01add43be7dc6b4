#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "io/tables/csv/csv_reader.hpp"
#include "io/transactions/long_reader.hpp"
#include "io/transactions/transaction_sink.hpp"
#include "src/core/error.hpp"
#include "tests/io/import_support.hpp"

namespace atl::io::test {
namespace {

using Baskets = std::vector<std::vector<std::string>>;

struct ReadLong {
  std::vector<std::string> names;
  Baskets baskets;
  std::vector<std::string> said;
};

ReadLong read(const std::string& text, bool header = false, char delimiter = ',',
              std::size_t piece = 3) {
  ReadLong result;
  CsvReader table(std::make_unique<StringSource>(text, piece), "long.csv",
                  CsvDialect{delimiter, header});
  const Report report = [&](Severity, const std::string& line) { result.said.push_back(line); };
  const TransactionSet set = collected(
      [&](TransactionSink& sink) { return read_long_table(table, "long.csv", report, sink); });
  result.names = set.names();
  for (std::uint32_t t = 0; t < set.size(); ++t) {
    auto& basket = result.baskets.emplace_back();
    for (const std::uint32_t item : set.transaction(t)) basket.push_back(set.name(item));
  }
  return result;
}

TEST(LongReader, TransactionsStandInTheOrderOfTheirFirstRows) {
  const ReadLong r = read("9,milk\n10,bread\n9,bread\n\n10,\"red wine\"\n", false);
  EXPECT_EQ(r.names, (std::vector<std::string>{"bread", "milk", "\"red wine\""}));
  EXPECT_EQ(r.baskets, (Baskets{{"bread", "milk"}, {"bread", "\"red wine\""}}));
  EXPECT_TRUE(r.said.empty());
  EXPECT_EQ(read("9\tmilk\r\n9\ta,b\r\n", false, '\t').baskets, (Baskets{{"\"a,b\"", "milk"}}));
}

TEST(LongReader, AHeaderIsNoTransaction) {
  EXPECT_EQ(read("id,item\na,b\n", true).baskets, (Baskets{{"b"}}));
  EXPECT_EQ(read("id,item\na,b\n", false).baskets, (Baskets{{"item"}, {"b"}}));
}

TEST(LongReader, TheOrderOfRowsOnlyNumbersTheTransactions) {
  const ReadLong sorted = read("a,x\na,y\na,z\nb,x\nb,z\nc,y\n");
  EXPECT_EQ(read("a,z\nb,z\nc,y\nb,x\na,y\na,x\n").baskets, sorted.baskets);
}

TEST(LongReader, RowsThatAreThereTwiceCountOnce) {
  const ReadLong r = read("t,i\na,x\nb,x\n\"b\",\"y\nz\"\na,x\nb,x\na,x\n", true);
  EXPECT_EQ(r.baskets, (Baskets{{"x"}, {"x", "\"y\\nz\""}}));
  ASSERT_EQ(r.said.size(), 1U);
  EXPECT_EQ(r.said[0],
            "long.csv: 3 rows repeated (first in line 6); each pair of transaction and item counts "
            "once");
}

void expect_bad(const std::string& text, const std::string& says) {
  try {
    (void)read(text);
    ADD_FAILURE() << text;
  } catch (const BadData& error) {
    EXPECT_EQ(std::string(error.what()), says);
  }
}

TEST(LongReader, RefusesWhatIsNoPair) {
  expect_bad("a,x\n,x\n", "long.csv:2:1: found '', expected the name of a transaction");
  expect_bad("a,x\nb,\"\"\n", "long.csv:2:2: found '', expected the name of an item");
  const std::string columns =
      ", expected two, a transaction and an item (--delimiter says what is "
      "between them)";
  expect_bad("a,b,c\n", "long.csv: has 3 columns" + columns);
  expect_bad("a\nb\n", "long.csv: has 1 column" + columns);
  EXPECT_THROW((void)read("a,b\nc\n"), BadCell);
  EXPECT_THROW((void)read("t,i\n", true), BadData);
  expect_bad("a," + std::string(longest_text + 1, 'x') + "\n",
             "long.csv:1:2: found 'a text of more than 64 KiB', expected the name of an item");
}

}  // namespace
}  // namespace atl::io::test
