#include <stdexcept>

#include <gtest/gtest.h>

#include "src/core/row_hash.hpp"
#include "src/data/binning.hpp"
#include "src/data/dataset.hpp"
#include "src/rules/rule_statistics.hpp"
#include "tests/support/random.hpp"

namespace atl::test {
namespace {

using Codes = std::vector<std::span<const std::uint32_t>>;

void expect_codes(const Dataset& data, const std::vector<std::vector<std::uint32_t>>& columns) {
  for (std::uint32_t a = 0; a < columns.size(); ++a) {
    ASSERT_EQ(data.rows(), columns[a].size());
    for (std::uint64_t row = 0; row < data.rows(); ++row) {
      ASSERT_EQ(data.code(row, a), columns[a][row]) << "row " << row << " attribute " << a;
    }
  }
}

TEST(Dataset, HoldsEveryCell) {
  for (const std::uint64_t rows : {1, 64, 65, 4096, 4097, 9000}) {
    const RandomTable table = random_table(rows, rows, 12, true);
    const Dataset data = make_dataset(table.attributes, table.columns, 4096);
    EXPECT_EQ(data.partitions(), (rows + 4095) / 4096);
    expect_codes(data, table.columns);
  }
}

TEST(Dataset, PlanesAreAlignedPaddedAndZeroBeyondTheRows) {
  const RandomTable table = random_table(5, 5000, 12, true);
  const Dataset data = make_dataset(table.attributes, table.columns, 4096);
  ASSERT_EQ(data.partitions(), 2U);
  EXPECT_EQ(data.partition_rows(1), 904U);
  EXPECT_EQ(data.partition_first_row(1), 4096U);
  EXPECT_EQ(data.words(0), 64U);
  EXPECT_EQ(data.words(1), 16U);
  for (std::uint32_t a = 0; a < data.attributes().size(); ++a) {
    const Attribute& attribute = data.attributes()[a];
    EXPECT_EQ(data.present(1, a).empty(), !attribute.has_missing);
    for (std::uint32_t bit = 0; bit < attribute.planes() + attribute.has_missing; ++bit) {
      const auto plane = bit < attribute.planes() ? data.plane(1, a, bit) : data.present(1, a);
      ASSERT_EQ(plane.size(), 16U);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(plane.data()) % 64, 0U);
      EXPECT_EQ(plane.data(), data.plane(1, a, 0).data() + bit * data.plane_stride(1));
      EXPECT_EQ(plane[14] >> 8, 0U);  // 904 rows = 14 words and 8 bits
      EXPECT_EQ(plane[15], 0U);
    }
  }
}

TEST(Dataset, FindsAttributesByName) {
  const RandomTable table = random_table(1, 10, 3, false);
  const Dataset data = make_dataset(table.attributes, table.columns);
  EXPECT_EQ(data.find(table.attributes[2].name), 2U);
  EXPECT_EQ(data.find("nobody"), std::nullopt);
}

TEST(DatasetBuilder, TakesPlanesAsTheyLieInAFile) {
  const RandomTable table = random_table(8, 5000, 6, true);
  auto attributes = table.attributes;
  for (Attribute& attribute : attributes) attribute.exact_distinct = attribute.distinct();
  DatasetBuilder builder(attributes, 4096, 100);
  for (const auto& [first, rows] : {std::pair{0, 4096}, std::pair{4096, 904}}) {
    std::vector<std::uint64_t> words;
    for (std::size_t a = 0; a < attributes.size(); ++a) {
      const PlaneLayout layout{attributes[a].planes(), attributes[a].has_missing, 64};
      std::vector<std::uint64_t> planes(layout.size());
      codes_to_planes(std::span(table.columns[a]).subspan(first, rows), layout, planes);
      words.insert(words.end(), planes.begin(), planes.end());
    }
    builder.append_planes(rows, words);
  }
  const Dataset data = builder.finish({1, 2});
  EXPECT_EQ(data.first_row(), 100U);
  EXPECT_EQ(data.fingerprint(), (Fingerprint{1, 2}));
  expect_codes(data, table.columns);
}

TEST(DatasetBuilder, ReplacesExactCodesByBins) {
  constexpr std::uint64_t rows = 700;
  Attribute exact;
  exact.name = "x";
  exact.has_missing = true;
  std::vector<std::uint32_t> column;
  for (std::uint32_t c = 0; c < 600; ++c) exact.low.push_back(c);
  exact.high = exact.low;
  exact.counts.assign(600, 1);
  exact.exact_distinct = 600;
  for (std::uint32_t row = 0; row < rows; ++row) {
    column.push_back(row < 600 ? (row * 7) % 600 : missing_code);
  }
  const auto ends = bin_ends(exact.counts, 20);
  const PlaneLayout layout{exact.planes(), true, 11};
  std::vector<std::uint64_t> words(layout.size());
  codes_to_planes(column, layout, words);

  DatasetBuilder builder({apply_bins(exact, ends)}, 4096);
  builder.append_planes(rows, words, std::vector<std::vector<std::uint32_t>>{ends});
  const Dataset data = builder.finish({});
  ASSERT_EQ(data.attributes()[0].planes(), 5U);
  for (std::uint64_t row = 0; row < rows; ++row) {
    const std::uint32_t code = data.code(row, 0);
    if (column[row] == missing_code) {
      ASSERT_EQ(code, missing_code);
      continue;
    }
    ASSERT_LE(data.attributes()[0].low[code], column[row]);
    ASSERT_GE(data.attributes()[0].high[code], column[row]);
  }
}

TEST(DatasetBuilder, RefusesWhatDoesNotFit) {
  Attribute three;
  three.name = "three";
  three.kind = AttributeKind::nominal;
  three.labels = {"a", "b", "c"};
  const std::vector<std::uint32_t> high = {0, 3};
  const std::vector<std::uint32_t> gap = {0, missing_code};
  const std::vector<std::uint32_t> good = {0, 2};
  EXPECT_THROW(DatasetBuilder({three}, 1000), std::invalid_argument);
  DatasetBuilder builder({three}, 4096);
  EXPECT_THROW(builder.append(2, Codes{high}), std::invalid_argument);
  EXPECT_THROW(builder.append(2, Codes{gap}), std::invalid_argument);
  EXPECT_THROW(builder.append(3, Codes{good}), std::invalid_argument);
  EXPECT_THROW(builder.append(2, Codes{}), std::invalid_argument);
  EXPECT_THROW(builder.append_planes(2, std::vector<std::uint64_t>{2, 2}), std::invalid_argument);
  EXPECT_THROW(builder.append_planes(2, std::vector<std::uint64_t>{2}), std::invalid_argument);
  builder.append_planes(2, std::vector<std::uint64_t>{1 | 4, 2 | 4});   // bit 2 is no row
  EXPECT_THROW(builder.append(2, Codes{good}), std::invalid_argument);  // after a short one
  const Dataset data = builder.finish({});
  EXPECT_EQ(data.code(0, 0), 1U);
  EXPECT_EQ(data.code(1, 0), 2U);
  EXPECT_EQ(data.plane(0, 0, 0)[0], 1U);

  three.has_missing = true;
  DatasetBuilder with_missing({three}, 4096);
  // Row 0 has code 1 and no value.
  EXPECT_THROW(with_missing.append_planes(2, std::vector<std::uint64_t>{1, 0, 2}),
               std::invalid_argument);
}

TEST(Fingerprint, DependsOnContentAlone) {
  Attribute size;
  size.name = "size";
  size.has_missing = true;
  size.low = size.high = {-1.5, 0, 7};
  Attribute colour;
  colour.name = "colour";
  colour.kind = AttributeKind::nominal;
  colour.labels = {"blue",
                   "r\xC3\xB8"
                   "d"};
  const std::vector<std::vector<std::uint32_t>> columns = {{0, 2, missing_code, 1, 2},
                                                           {1, 0, 1, 1, 0}};
  const Dataset data = make_dataset({size, colour}, columns);
  EXPECT_EQ(to_hex(data.fingerprint()), "4737879db28e0302fba6f85eb83b7834");

  const RandomTable table = random_table(4, 9000, 4, true);
  const auto whole = make_dataset(table.attributes, table.columns).fingerprint();
  EXPECT_EQ(make_dataset(table.attributes, table.columns, 4096).fingerprint(), whole);
  auto renamed = table.attributes;
  renamed[1].name += "x";
  EXPECT_NE(make_dataset(renamed, table.columns).fingerprint(), whole);
  auto other = table.columns;
  std::swap(other[0][17], other[0][18]);
  other[0][18] = other[0][17] == 0 ? missing_code : 0;
  auto holed = table.attributes;
  holed[0].has_missing = true;
  EXPECT_NE(make_dataset(holed, other).fingerprint(), whole);
}

TEST(RowHash, IsPinned) {
  EXPECT_EQ(row_hash(0), 0xE220A8397B1DCDAFU);
  EXPECT_EQ(row_hash(1), 0x910A2DEC89025CC1U);
  EXPECT_EQ(row_hash(std::uint64_t{1} << 40), 0x1FDD7128F310C389U);
}

}  // namespace
}  // namespace atl::test
