#include <set>

#include <gtest/gtest.h>

#include "src/core/random.hpp"
#include "src/data/duplicates.hpp"

namespace atl {
namespace {

Attribute numeric(const std::string& name, std::uint32_t distinct, bool has_missing) {
  Attribute attribute;
  attribute.name = name;
  attribute.has_missing = has_missing;
  attribute.exact_distinct = distinct;
  for (std::uint32_t code = 0; code < distinct; ++code) {
    attribute.low.push_back(code);
    attribute.high.push_back(code);
    attribute.counts.push_back(0);
  }
  return attribute;
}

TEST(Duplicates, RowsAndColumnsOfATableByHand) {
  const std::vector<std::uint32_t> a = {0, 1, 0, 2, 0, missing_code};
  const std::vector<std::uint32_t> b = {1, 1, 1, 0, 1, 0};
  const Dataset data = make_dataset(
      {numeric("a", 3, true), numeric("b", 2, false), numeric("c", 3, true)}, {a, b, a});
  const Duplicates found = find_duplicates(data);
  EXPECT_EQ(found.rows, 2U);  // rows 2 and 4 repeat row 0; the missing value is no code 0
  ASSERT_EQ(found.columns.size(), 1U);
  EXPECT_EQ(found.columns[0], (std::pair<std::uint32_t, std::uint32_t>{2, 0}));
}

TEST(Duplicates, OtherDictionaryIsAnotherColumn) {
  Attribute other = numeric("b", 2, false);
  other.high[1] = other.low[1] = 7;
  const Dataset data = make_dataset({numeric("a", 2, false), other}, {{0, 1}, {0, 1}});
  EXPECT_TRUE(find_duplicates(data).columns.empty());
}

TEST(Duplicates, EqualsACountBySetInAnyNumberOfPasses) {
  RandomStream stream({.seed = 5});
  constexpr std::size_t rows = 70'001;  // two partitions, the last word not full
  std::vector<std::vector<std::uint32_t>> columns(4, std::vector<std::uint32_t>(rows));
  std::set<std::vector<std::uint32_t>> distinct;
  for (std::size_t row = 0; row < rows; ++row) {
    std::vector<std::uint32_t> cells;
    for (auto& column : columns) {
      column[row] = static_cast<std::uint32_t>(stream.below(17));
      cells.push_back(column[row]);
    }
    distinct.insert(cells);
  }
  const Dataset data = make_dataset({numeric("a", 17, false), numeric("b", 17, false),
                                     numeric("c", 17, false), numeric("d", 17, false)},
                                    columns);
  EXPECT_EQ(find_duplicates(data).rows, rows - distinct.size());
  EXPECT_EQ(find_duplicates(data, 1 << 17).rows, rows - distinct.size());
}

}  // namespace
}  // namespace atl
