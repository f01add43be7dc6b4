#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "src/data/binning.hpp"
#include "src/data/row_codes.hpp"
#include "tests/support/random.hpp"

namespace atl::test {
namespace {

constexpr std::uint32_t none = missing_code;

std::uint32_t exact(const Attribute&) {
  return 0;
}

Attribute numbers(std::vector<double> values) {
  Attribute attribute;
  attribute.name = "x";
  attribute.low = attribute.high = std::move(values);
  attribute.exact_distinct = attribute.low.size();
  return attribute;
}

Attribute labels(AttributeKind kind, std::vector<std::string> values) {
  Attribute attribute;
  attribute.name = "label";
  attribute.kind = kind;
  attribute.labels = std::move(values);
  attribute.exact_distinct = attribute.labels.size();
  return attribute;
}

Dataset table(std::vector<Attribute> attributes, std::vector<std::vector<std::uint32_t>> columns) {
  for (std::size_t a = 0; a < attributes.size(); ++a) {
    attributes[a].counts.assign(attributes[a].distinct(), 0);
    for (const std::uint32_t code : columns[a]) {
      code == none ? ++attributes[a].missing : ++attributes[a].counts[code];
    }
    attributes[a].has_missing = attributes[a].missing > 0;
  }
  return make_dataset(std::move(attributes), columns);
}

TEST(RowSubset, HasTheValuesOfItsRowsAlone) {
  const Dataset all =
      table({numbers({1, 2, 5, 9}), labels(AttributeKind::nominal, {"a", "b", "c"})},
            {{0, 1, 2, 3, 2}, {2, 1, 0, 1, 2}});
  const std::uint8_t keep[] = {1, 0, 1, 0, 1};
  const Dataset some = row_subset(all, keep, exact);
  ASSERT_EQ(some.rows(), 3U);
  const Attribute& x = some.attributes()[0];
  EXPECT_EQ(x.low, (std::vector<double>{1, 5}));
  EXPECT_EQ(x.high, x.low);
  EXPECT_EQ(x.counts, (std::vector<std::uint64_t>{1, 2}));
  EXPECT_EQ(x.exact_distinct, 2U);
  EXPECT_EQ(all_codes(some, 0), (std::vector<std::uint32_t>{0, 1, 1}));
  EXPECT_EQ(some.attributes()[1].labels, (std::vector<std::string>{"a", "c"}));
  EXPECT_EQ(all_codes(some, 1), (std::vector<std::uint32_t>{1, 0, 1}));
}

TEST(RowSubset, KeepsAllLabelsOfAnOrdinalAttribute) {
  const Dataset all =
      table({labels(AttributeKind::ordinal, {"small", "medium", "large"})}, {{0, 1, 2, 2}});
  const std::uint8_t keep[] = {0, 0, 1, 1};
  const Dataset some = row_subset(all, keep, exact);
  const Attribute& size = some.attributes()[0];
  EXPECT_EQ(size.labels, (std::vector<std::string>{"small", "medium", "large"}));
  EXPECT_EQ(size.counts, (std::vector<std::uint64_t>{0, 0, 2}));
  EXPECT_EQ(all_codes(some, 0), (std::vector<std::uint32_t>{2, 2}));
}

TEST(RowSubset, CountsMissingValues) {
  const Dataset all = table({numbers({1, 2}), numbers({3, 4}), numbers({5})},
                            {{0, none, 1, none}, {none, 0, 1, 0}, {0, none, none, 0}});
  const std::uint8_t keep[] = {0, 1, 1, 0};
  const Dataset some = row_subset(all, keep, exact);
  EXPECT_TRUE(some.attributes()[0].has_missing);
  EXPECT_EQ(some.attributes()[0].missing, 1U);
  EXPECT_EQ(all_codes(some, 0), (std::vector<std::uint32_t>{none, 0}));
  EXPECT_FALSE(some.attributes()[1].has_missing);
  EXPECT_EQ(some.attributes()[2].missing, 2U);  // a fold may have no value of it at all
  EXPECT_EQ(some.attributes()[2].distinct(), 0U);
  EXPECT_EQ(all_codes(some, 2), (std::vector<std::uint32_t>{none, none}));
}

TEST(RowSubset, BinsByItsOwnRows) {
  std::vector<double> values;
  std::vector<std::uint32_t> codes;
  std::vector<std::uint8_t> keep;
  for (std::uint32_t i = 0; i < 300; ++i) {
    values.push_back(i);
    codes.push_back(i);
    keep.push_back(i % 3 == 0 ? 1 : 0);
  }
  const Dataset all = table({numbers(values), labels(AttributeKind::nominal, {"a"})},
                            {codes, std::vector<std::uint32_t>(300, 0)});
  const Dataset some = row_subset(all, keep, [](const Attribute&) { return 8U; });
  const Attribute& x = some.attributes()[0];
  const auto ends = bin_ends(std::vector<std::uint64_t>(100, 1), 8);
  ASSERT_EQ(x.distinct(), ends.size());
  EXPECT_EQ(x.exact_distinct, 100U);
  EXPECT_TRUE(x.binned());
  const auto own = all_codes(some, 0);
  for (std::uint32_t row = 0; row < 100; ++row) {
    const auto bin =
        static_cast<std::size_t>(std::lower_bound(ends.begin(), ends.end(), row) - ends.begin());
    ASSERT_EQ(own[row], bin);
    EXPECT_LE(x.low[bin], 3 * row);
    EXPECT_GE(x.high[bin], 3 * row);
  }
}

TEST(RowSubset, OfAllRowsIsTheTable) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const RandomTable random = random_table(seed, 700, 6, true);
    const Dataset whole = make_dataset(random.attributes, random.columns);
    const Dataset all = row_subset(whole, std::vector<std::uint8_t>(700, 1), exact);
    const Dataset again = row_subset(all, std::vector<std::uint8_t>(700, 1), exact);
    for (std::uint32_t a = 0; a < 6; ++a) {
      EXPECT_EQ(all_codes(all, a), all_codes(again, a));
      EXPECT_EQ(all.attributes()[a].counts, again.attributes()[a].counts);
    }
    EXPECT_EQ(all.fingerprint(), whole.fingerprint());
  }
}

TEST(RowSubset, FillsPartitionsFromThoseOfTheWhole) {
  constexpr std::uint32_t rows = 150001;
  std::vector<std::uint32_t> codes;
  std::vector<std::uint8_t> keep;
  std::vector<std::uint32_t> kept;
  for (std::uint32_t row = 0; row < rows; ++row) {
    codes.push_back(row * 7 % 3);
    keep.push_back(row % 8 == 5 ? 0 : 1);
    if (keep.back() != 0) kept.push_back(codes.back());
  }
  Attribute attribute = numbers({1, 2, 3});
  attribute.counts = {50001, 50000, 50000};
  const Dataset whole = make_dataset({attribute}, {codes}, 8192);
  const Dataset some = row_subset(whole, keep, exact);
  EXPECT_EQ(some.partitions(), (kept.size() + 65535) / 65536);
  EXPECT_EQ(all_codes(some, 0), kept);
}

}  // namespace
}  // namespace atl::test
