#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "io/tables/import.hpp"
#include "src/core/error.hpp"
#include "src/run/data/transaction_import.hpp"
#include "src/run/data/uncertain_data.hpp"
#include "tests/io/import_support.hpp"

namespace atl {
namespace {

using Likely = std::vector<double>;
using Names = std::vector<std::string>;

class UncertainData : public io::test::FolderTest {
 protected:
  TransactionSet read(const std::string& data, TransactionForm form = {},
                      const std::string& probabilities = {}) {
    reports.clear();
    return read_uncertain_transactions(data, form, probabilities, report());
  }
  static TransactionForm with_column(TransactionFormat format, const std::string& column = "p") {
    TransactionForm form;
    form.format = format;
    form.probability_column = column;
    return form;
  }
};

TEST_F(UncertainData, HaveTheProbabilitiesOfAText) {
  const std::string data = write("t.dat", "1 2\n\n2\n");
  const std::string likely = write("p.txt", "0.5\n1\n0.25\n");
  EXPECT_EQ(read(data, {}, likely).probabilities(), (Likely{0.5, 1, 0.25}));
  EXPECT_EQ(reports.size(), 1U) << "of the line without items";
  EXPECT_THROW(read(data, {}, write("few.txt", "0.5\n1\n")), BadCell);
  EXPECT_THROW(read(data, {}, path("none.txt")), MissingInput);
  EXPECT_THROW(read(path("none.dat"), {}, likely), MissingInput);
}

TEST_F(UncertainData, WithoutAnyAreCertain) {
  const std::string data = write("t.dat", "1 2\n2\n");
  EXPECT_TRUE(read(data).probabilities().empty());
  ASSERT_EQ(reports.size(), 1U);
  EXPECT_EQ(reports.front().substr(0, 9), "warning: ");
  EXPECT_TRUE(read_certain_transactions(data, {}, report()).probabilities().empty());
  EXPECT_EQ(reports.size(), 1U);
}

TEST_F(UncertainData, AreInAFileOfTransactions) {
  const io::TextInput input(write("t.dat", "1 2\n2\n"), folder);
  const std::string likely = write("p.txt", "0.5\n0.25\n");
  import_transactions(input,
                      {.form = {.format = TransactionFormat::fimi},
                       .probabilities = likely,
                       .output = path("t.h5")},
                      report());
  EXPECT_EQ(read(path("t.h5")).probabilities(), (Likely{0.5, 0.25}));
  EXPECT_TRUE(reports.empty());
  EXPECT_THROW(read(path("t.h5"), {}, likely), UsageError);
  EXPECT_THROW(read(path("t.h5"), with_column(TransactionFormat::automatic)), UsageError);
  reports.clear();
  EXPECT_TRUE(read_certain_transactions(path("t.h5"), {}, report()).probabilities().empty());
  EXPECT_EQ(reports, (Names{"info: " + path("t.h5") +
                            ": its probabilities are left out, as only --algorithm probabilistic "
                            "heeds them"}));
}

TEST_F(UncertainData, AreInAColumnOfATable) {
  const std::string data =
      write("t.csv", "color,p,size\nred,0.5,big\nblue,1,big\nred,0.25,small\nblue,1e-3,small\n");
  const Likely expected = {0.5, 1, 0.25, 1e-3};
  for (const auto format : {TransactionFormat::table, TransactionFormat::automatic}) {
    const TransactionSet set = read(data, with_column(format));
    EXPECT_EQ(set.probabilities(), expected);
    EXPECT_EQ(set.names(), (Names{"color=blue", "color=red", "size=big", "size=small"}));
    for (const std::string& said : reports) EXPECT_EQ(said.find("warning: "), std::string::npos);
  }
  EXPECT_THROW(read(data, with_column(TransactionFormat::table, "q")), UsageError);
  EXPECT_THROW(read(data, with_column(TransactionFormat::baskets)), UsageError);
  TransactionForm comma = with_column(TransactionFormat::table);
  comma.text.decimal = "comma";
  comma.text.delimiter = ";";
  EXPECT_EQ(read(write("c.csv", "color;p\nred;0,5\nblue;1\nred;0,25\n"), comma).probabilities(),
            (Likely{0.5, 1, 0.25}));
}

TEST_F(UncertainData, AreInAColumnOfADatasetFile) {
  const std::string text = "color,p,size\nred,0.5,big\nblue,1,big\nred,0.25,small\nblue,,small\n";
  const auto import = [&](const std::string& table) {
    io::ImportOptions options;
    options.inputs = {write("t.csv", table)};
    options.output = path("t.h5");
    io::import_tables(options, report());
  };
  const TransactionForm form = with_column(TransactionFormat::automatic);
  import(text);
  EXPECT_EQ(io::test::message_of<BadData>([&] { read(path("t.h5"), form); }),
            path("t.h5") +
                ": column 'p', row 4: found no value, expected a probability, above 0 "
                "and at most 1");
  std::string many = "color,p\n";
  Likely expected;
  for (int row = 1; row <= 1000; ++row) {
    many += (row % 2 == 0 ? "red,0." : "blue,0.") + std::to_string(1000 + row) + "\n";
    expected.push_back((1000 + row) / 1e4);
  }
  import(many);
  EXPECT_EQ(read(path("t.h5"), form).probabilities(), expected) << "of more values than bins";
  EXPECT_TRUE(reports.empty());
  EXPECT_THROW(read(path("t.h5"), with_column(TransactionFormat::automatic, "color")), BadData);
  EXPECT_THROW(read(path("t.h5"), with_column(TransactionFormat::automatic, "q")), UsageError);
}

TEST_F(UncertainData, AreInAColumnOfAOneHotTable) {
  const std::string data = write("t.csv", "milk,p,bread\n1,0.5,0\n1,0.25,1\n0,1,1\n");
  for (const auto format : {TransactionFormat::onehot, TransactionFormat::automatic}) {
    const TransactionSet set = read(data, with_column(format));
    EXPECT_EQ(set.probabilities(), (Likely{0.5, 0.25, 1}));
    EXPECT_EQ(set.names(), (Names{"bread", "milk"}));
    EXPECT_EQ(set.supports(), (std::vector<std::uint32_t>{2, 2}));
  }
  try {
    read(write("b.csv", "milk,p,bread\n1,0.5,0\n1,0,1\n"), with_column(TransactionFormat::onehot));
    ADD_FAILURE();
  } catch (const BadCell& error) {
    EXPECT_EQ(std::string(error.what()),
              path("b.csv") + ":3:2: found '0', expected a probability, above 0 and at most 1");
  }
}

}  // namespace
}  // namespace atl
