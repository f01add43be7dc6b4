#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "io/tables/csv/csv_reader.hpp"
#include "io/transactions/probability_reader.hpp"
#include "src/core/error.hpp"
#include "tests/io/import_support.hpp"

namespace atl::io::test {
namespace {

std::vector<double> read_likely(const std::string& text, std::uint64_t count) {
  return read_probabilities(std::make_unique<StringSource>(text), "p.txt", count);
}

TEST(ProbabilityReader, ReadsANumberALine) {
  EXPECT_EQ(read_likely("1\n0.25\n 1e-3 \r\n5e-324", 4),
            (std::vector<double>{1, 0.25, 1e-3, 5e-324}));
  EXPECT_TRUE(read_likely("", 0).empty());
}

TEST(ProbabilityReader, RefusesAnythingElse) {
  const auto expect_bad = [](const std::string& text, std::uint64_t count,
                             const std::string& says) {
    try {
      (void)read_likely(text, count);
      ADD_FAILURE() << text;
    } catch (const BadCell& error) {
      EXPECT_EQ(std::string(error.what()), says);
    }
  };
  for (const std::string wrong : {"0", "1.0000001", "-0.5", "nan", "inf", "x", "0.5 0.5", "0,5"}) {
    expect_bad("1\n  " + wrong + "\n", 2,
               "p.txt:2:3: found '" + wrong + "', expected a probability, above 0 and at most 1");
  }
  expect_bad("1\n\n1\n", 3, "p.txt:2:1: found '', expected a probability, above 0 and at most 1");
  expect_bad("1\n", 2,
             "p.txt:2:1: found 'the end', expected the probability of transaction 2 of 2");
  expect_bad("1\n1\n0.5\n", 2,
             "p.txt:3:1: found '0.5', expected the end, as there are 2 transactions");
}

std::vector<double> read_column(const std::string& text,
                                DecimalMark decimal = DecimalMark::detected) {
  CsvReader table(std::make_unique<StringSource>(text, 7), "t.csv",
                  CsvDialect{.delimiter = ';', .header = true});
  return read_probability_column(table, "t.csv", "p", decimal);
}

TEST(ProbabilityColumn, HoldsANumberARow) {
  EXPECT_EQ(read_column("a;p\nx;1\ny; 0.25\n\"z\";\"1e-3\"\n"),
            (std::vector<double>{1, 0.25, 1e-3}));
  EXPECT_EQ(read_column("p;a\n0,5;x\n1;y\n", DecimalMark::comma), (std::vector<double>{0.5, 1}));
}

TEST(ProbabilityColumn, HoldsNothingElse) {
  for (const std::string wrong : {"0", "1.5", "-0.5", "nan", "?", "", "x", "0,5", "50%"}) {
    try {
      (void)read_column("a;p\nx;1\ny;" + wrong + "\n");
      ADD_FAILURE() << wrong;
    } catch (const BadCell& error) {
      EXPECT_EQ(std::string(error.what()),
                "t.csv:3:2: found '" + wrong + "', expected a probability, above 0 and at most 1");
    }
  }
  EXPECT_THROW(read_column("p;p\n1;1\n"), BadData);
  try {
    (void)read_column("a;q\nx;1\n");
    ADD_FAILURE();
  } catch (const UsageError& error) {
    EXPECT_EQ(std::string(error.what()),
              "--probability-column: t.csv has no column 'p', expected one of 'a', 'q'");
  }
}

}  // namespace
}  // namespace atl::io::test
