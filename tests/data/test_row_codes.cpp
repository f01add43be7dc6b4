#include <algorithm>

#include <gtest/gtest.h>

#include "src/core/random.hpp"
#include "src/data/row_codes.hpp"

namespace atl {
namespace {

constexpr std::uint64_t table_rows = 4096 * 3 + 65;

/// 1, 5 and 9 planes, the second with missing values, the third with none of those that may be.
std::vector<std::vector<std::uint32_t>> columns() {
  RandomStream stream({.seed = 3});
  std::vector<std::vector<std::uint32_t>> all(3);
  for (std::uint64_t row = 0; row < table_rows; ++row) {
    all[0].push_back(static_cast<std::uint32_t>(stream.below(2)));
    all[1].push_back(stream.chance(0.3) ? missing_code
                                        : static_cast<std::uint32_t>(stream.below(20)));
    all[2].push_back(static_cast<std::uint32_t>(stream.below(300)));
  }
  return all;
}

Dataset table() {
  std::vector<Attribute> attributes(3);
  const std::vector<std::size_t> distinct = {2, 20, 300};
  for (std::size_t a = 0; a < attributes.size(); ++a) {
    attributes[a].name = std::string(1, static_cast<char>('a' + a));
    attributes[a].kind = AttributeKind::numeric;
    attributes[a].has_missing = a > 0;
    for (std::size_t value = 0; value < distinct[a]; ++value)
      attributes[a].low.push_back(static_cast<double>(value));
    attributes[a].high = attributes[a].low;
    attributes[a].counts.assign(distinct[a], 1);
  }
  return make_dataset(attributes, columns(), 4096);
}

void expect_codes(const std::vector<std::uint64_t>& rows) {
  const Dataset dataset = table();
  const auto expected = columns();
  for (std::uint32_t a = 0; a < expected.size(); ++a) {
    const auto codes = codes_of(dataset, a, rows);
    ASSERT_EQ(codes.size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      ASSERT_EQ(codes[i], expected[a][rows[i]]) << "attribute " << a << " row " << rows[i];
    }
  }
}

TEST(RowCodes, OfFirstAndLastRowsOfWordsAndPartitions) {
  expect_codes({0, 63, 64, 65, 4095, 4096, 4097, 8191, 8192, 12287, 12288, table_rows - 1});
}

TEST(RowCodes, OfNoRows) {
  expect_codes({});
}

TEST(RowCodes, OfPartitionsThatAreLeftOut) {
  expect_codes({4096 * 2 + 17, 4096 * 3});
}

TEST(RowCodes, OfRowsThatAreThereSeveralTimes) {
  expect_codes({5, 5, 5, 4095, 4095, 4096, 4096});
}

// From few rows, picked one by one, to all of them.
TEST(RowCodes, OfAnyShareOfTheRows) {
  for (const double share : {0.001, 0.05, 0.12, 0.13, 0.3, 0.9, 1.0}) {
    RandomStream stream({.seed = 4});
    std::vector<std::uint64_t> rows;
    for (std::uint64_t row = 0; row < table_rows; ++row) {
      if (stream.chance(share)) rows.push_back(row);
    }
    expect_codes(rows);
  }
}

TEST(RowCodes, OfManyRowsInOnePartitionAndFewInTheNext) {
  std::vector<std::uint64_t> rows;
  for (std::uint64_t row = 0; row < 4096; ++row) rows.push_back(row);
  rows.push_back(4100);
  rows.push_back(8192);
  expect_codes(rows);
}

}  // namespace
}  // namespace atl
