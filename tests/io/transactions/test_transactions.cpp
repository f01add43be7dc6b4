#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "io/transactions/fimi_reader.hpp"
#include "io/transactions/itemset_writer.hpp"
#include "io/transactions/transaction_sink.hpp"
#include "src/core/error.hpp"
#include "tests/io/import_support.hpp"

namespace atl::io::test {
namespace {

class Fimi : public FolderTest {
 protected:
  TransactionSet read(const std::string& text) {
    const TextInput input(write("a.dat", text), folder);
    return collected(
        [&](TransactionSink& sink) { return read_fimi(input.open(), "a.dat", report(), sink); });
  }
  /// Each transaction's items by name.
  std::string shown(const std::string& text) {
    const TransactionSet set = read(text);
    std::string all;
    for (std::uint32_t t = 0; t < set.size(); ++t) {
      for (const std::uint32_t item : set.transaction(t)) all += set.name(item) + " ";
      all += "|";
    }
    return all;
  }
  void expect_bad(const std::string& text, std::uint64_t line, std::uint64_t column,
                  const std::string& found) {
    try {
      read(text);
      ADD_FAILURE() << text;
    } catch (const BadCell& e) {
      EXPECT_EQ(e.line, line);
      EXPECT_EQ(e.column, column);
      EXPECT_EQ(e.found, found);
      EXPECT_EQ(e.status(), ExitStatus::bad_data);
    }
  }
};

TEST_F(Fimi, LinesAreTransactionsInTheOrderOfTheirNumbers) {
  EXPECT_EQ(shown("10 9 2\n3\n"), "2 9 10 |3 |");
  EXPECT_EQ(shown(" 1\t 2 \r\n2"), "1 2 |2 |");
  EXPECT_EQ(shown("4294967295 0\n4294967294 5000000 5\n"), "0 4294967295 |5 5000000 4294967294 |");
  EXPECT_EQ(read("10 9 2\n3 9\n").supports(), (std::vector<std::uint32_t>{1, 1, 2, 1}));
  EXPECT_TRUE(reports.empty());
}

TEST_F(Fimi, EmptyLinesAreTransactions) {
  EXPECT_EQ(shown("1\n\n \n2\n"), "1 |||2 |");
  EXPECT_EQ(reports, (std::vector<std::string>{"info: a.dat: 2 transactions without items"}));
}

TEST_F(Fimi, NoLineIsNoTransaction) {
  const std::string mark = "\xEF\xBB\xBF";
  EXPECT_EQ(shown(mark + "1 2\n"), "1 2 |");
  EXPECT_THROW(read(mark), BadData);
}

TEST_F(Fimi, ItemsCountOnceInATransaction) {
  EXPECT_EQ(shown("1 2\n7 5 7 5 7\n"), "1 2 |5 7 |");
  EXPECT_EQ(reports, (std::vector<std::string>{
                         "warning: a.dat: 3 items repeated in the same line (first in line 2); "
                         "each counts once"}));
}

TEST_F(Fimi, WhatIsNoItemIsRefusedWithItsPlace) {
  expect_bad("1 2\n3 -4 5\n", 2, 3, "-4");
  expect_bad("1 4294967296\n", 1, 3, "4294967296");
  expect_bad("1 99999999999999999999999\n", 1, 3, "99999999999999999999999");
  expect_bad("1 2.5\n", 1, 3, "2.5");
  expect_bad("1\n2\nbread", 3, 1, "bread");
  expect_bad("1,2\n", 1, 1, "1,2");
  expect_bad("+1\n", 1, 1, "+1");
  expect_bad("1\n2 \xFF\n", 2, 3, "\\xff");
}

TEST_F(Fimi, LongInputsAreReadAcrossBlocks) {
  std::string text;
  for (int line = 0; line < 60000; ++line) text += std::to_string(line) + " 70000 80000\n";
  const TransactionSet set = read(text);
  EXPECT_EQ(set.size(), 60000U);
  EXPECT_EQ(set.item_count(), 60002U);
  EXPECT_EQ(set.supports()[60000], 60000U);
  EXPECT_EQ(set.name(60001), "80000");
}

TEST(ItemsetWriter, WritesPrefixesAndBlocks) {
  const std::vector<std::string> names = {"1", "22", "333", "bread and butter", "5", "6"};
  std::string text;
  ItemsetWriter writer(names, [&](std::string_view piece) { text += piece; });
  writer.add(4);
  writer.found(70);
  const std::vector<std::uint32_t> items = {0, 1, 2, 3, 5};
  std::vector<std::uint32_t> supports(256);
  supports[1] = 9;
  supports[6] = 131072;
  supports[16] = 7;
  supports[31] = 4294967295;
  writer.found(ItemsetBlock{items, {0x80010042 & ~std::uint64_t{0x40}, 0, 0, 0}, supports.data()});
  writer.remove();
  writer.add(3);
  writer.found(2);
  EXPECT_EQ(writer.finish(), 5U);
  EXPECT_EQ(text,
            "5 (70)\n5 1 (9)\n5 6 (7)\n"
            "5 6 bread and butter 333 22 1 (4294967295)\nbread and butter (2)\n");
}

TEST(ItemsetWriter, WritesMoreThanItsBuffer) {
  const std::vector<std::string> names = {std::string(3000, 'x'), "y"};
  std::size_t size = 0;
  ItemsetWriter writer(names, [&](std::string_view piece) { size += piece.size(); });
  for (int i = 0; i < 1000; ++i) writer.add(0);
  for (int i = 0; i < 3; ++i) writer.found(1);
  EXPECT_EQ(writer.finish(), 3U);
  EXPECT_EQ(size, 3U * (1000 * 3001 + 4));
}

}  // namespace
}  // namespace atl::io::test
