#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "io/hdf5/data_file.hpp"
#include "io/hdf5/transaction_file.hpp"
#include "src/core/error.hpp"
#include "src/run/data/transaction_import.hpp"
#include "tests/io/import_support.hpp"
#include "tests/support/sanitizers.hpp"

namespace atl {
namespace {

class TransactionImports : public io::test::FolderTest {
 protected:
  ImportedTransactions import(const std::string& text, TransactionFormat format,
                              const Report& report, std::uint64_t memory = 1ULL << 30) {
    const io::TextInput input(write("t.txt", text), folder);
    return import_transactions(
        input, {.form = {.format = format}, .output = path("t.h5"), .memory_limit = memory},
        report);
  }
  std::vector<std::vector<std::string>> baskets() const {
    const TransactionSet set = io::read_transactions(io::open_data(path("t.h5"))).transactions;
    std::vector<std::vector<std::string>> all;
    for (std::uint32_t t = 0; t < set.size(); ++t) {
      auto& basket = all.emplace_back();
      for (const std::uint32_t item : set.transaction(t)) basket.push_back(set.name(item));
    }
    return all;
  }
};

using Baskets = std::vector<std::vector<std::string>>;

TEST_F(TransactionImports, HoldWhatTheTextSays) {
  const ImportedTransactions numbers =
      import("30 4\n\n100 4 30 4\n", TransactionFormat::fimi, report());
  EXPECT_EQ(in_words(numbers), "3 transactions, 3 items, 1.67 items a transaction");
  EXPECT_EQ(baskets(), (Baskets{{"4", "30"}, {}, {"4", "30", "100"}}));
  EXPECT_EQ(reports.size(), 2U) << "once, though the text is read twice";
  import("milk,\"red wine\"\nbread,milk\n", TransactionFormat::baskets, report());
  EXPECT_EQ(baskets(), (Baskets{{"milk", "\"red wine\""}, {"bread", "milk"}}));
  import("7,milk\n8,bread\n7,beer\n7,milk\n", TransactionFormat::long_table, report());
  EXPECT_EQ(baskets(), (Baskets{{"beer", "milk"}, {"bread"}}));
  reports.clear();
  import(",milk,bread\n0,True,False\n1,True,True\n", TransactionFormat::onehot, report());
  EXPECT_EQ(baskets(), (Baskets{{"milk"}, {"bread", "milk"}}));
  EXPECT_EQ(reports.size(), 3U) << "header, delimiter and index, once";
  import("@ITEM=7=milk\n# c\n7 8\n", TransactionFormat::fimi, report());
  EXPECT_EQ(baskets(), (Baskets{{"milk", "8"}}));
}

TEST_F(TransactionImports, RefuseWhatIsNoListOfItems) {
  for (const auto format : {TransactionFormat::fimi, TransactionFormat::baskets}) {
    EXPECT_THROW(import("1 -1 2 -1 -2\n", format, report()), BadData);
    EXPECT_THROW(import("1 2:5:3 2\n", format, report()), BadData);
    EXPECT_THROW(import("@relation r\n@attribute a {1,2}\n@data\n1\n", format, report()), BadData);
  }
  EXPECT_THROW(import("@CONVERTED_FROM_TEXT\n1 2\n", TransactionFormat::baskets, report()),
               BadData);
  EXPECT_FALSE(std::filesystem::exists(path("t.h5")));
}

TEST_F(TransactionImports, NoticeATextThatChanges) {
  const std::string text = "1 2\n\n2 3\n";  // the empty line is told of behind the first pass
  for (const char* const later : {"1 2\n\n2 3\n1\n", "1 2\n\n", "1 2\n\n2 1\n", "1 2\n\n2 4\n"}) {
    const Report change = [&](Severity, const std::string&) { write("t.txt", later); };
    EXPECT_THROW(import(text, TransactionFormat::fimi, change), IoError) << later;
    EXPECT_FALSE(std::filesystem::exists(path("t.h5"))) << later;
  }
}

TEST_F(TransactionImports, HoldNoTransactionsInMemory) {
  if (test::sanitized) GTEST_SKIP() << "sanitizers end the program instead of throwing";
  constexpr std::uint64_t limit = std::uint64_t{16} << 20;
  std::string many;
  for (int line = 0; line < 1'000'000; ++line) many += "1 2 3 4\n";  // 24 MB in memory
  EXPECT_EQ(import(many, TransactionFormat::fimi, report(), limit).entries, 4'000'000U);
  std::string names;
  for (int line = 0; line < 200'000; ++line) names += "item " + std::to_string(line) + "\n";
  std::filesystem::remove(path("t.h5"));
  EXPECT_THROW(import(names, TransactionFormat::baskets, report(), limit), UsageError);
  EXPECT_FALSE(std::filesystem::exists(path("t.h5")));
}

}  // namespace
}  // namespace atl
