// The host's part of the level-wise search on a GPU, and the published tables.
#include <vector>

#include <gtest/gtest.h>

#include "cuda/host/apriori_tables.hpp"
#include "cuda/itemsets/apriori_triangle.hpp"

namespace atl::cuda {
namespace {

TEST(AprioriTriangle, HasAPlaceForEachPair) {
  std::uint64_t index = 0;
  for (std::uint32_t high = 1; high < 2000; ++high) {
    for (std::uint32_t low = 0; low < high; ++low, ++index) {
      const TrianglePlace place = triangle_place(index);
      ASSERT_EQ(place.high, high) << index;
      ASSERT_EQ(place.low, low) << index;
    }
  }
}

TEST(AprioriTriangle, IsExactWhereDoublesAreNot) {
  for (std::uint64_t high : {std::uint64_t{94906265}, std::uint64_t{1} << 30,
                             (std::uint64_t{1} << 31) - 1, (std::uint64_t{1} << 31) + 12345}) {
    const std::uint64_t first = triangle_start(high);
    for (const std::uint64_t low : {std::uint64_t{0}, std::uint64_t{1}, high / 2, high - 1}) {
      const TrianglePlace place = triangle_place(first + low);
      EXPECT_EQ(place.high, high);
      EXPECT_EQ(place.low, low);
    }
    EXPECT_EQ(triangle_place(first - 1).high, high - 1);
    EXPECT_EQ(triangle_place(first - 1).low, high - 2);
  }
}

/// The example of the paper's Table 6, with a transaction more that makes a pair of C and D.
TransactionSet example() {
  return {{"A", "B", "C", "D"}, {0, 2, 3, 4, 6, 7}, {0, 1, 0, 1, 2, 3, 2}};
}

TEST(AprioriTables, HoldAWordForEach32) {
  const std::vector<std::uint32_t> items{0, 1, 2, 3};
  const AprioriTables tables = tables_of_items(example(), items);
  EXPECT_EQ(tables.item_words, 1U);
  EXPECT_EQ(tables.transaction_words, 1U);
  EXPECT_EQ(tables.items, (std::vector<std::uint32_t>{1, 0, 2, 0, 4, 0, 8, 0}));
  EXPECT_EQ(tables.transactions, (std::vector<std::uint32_t>{0b00011, 0b00101, 0b11000, 0b01000}));
}

TEST(AprioriTables, JoinAndCount) {
  const std::vector<std::uint32_t> items{0, 1, 2, 3};
  AprioriTables pairs;
  join_all(tables_of_items(example(), items), pairs);
  count_supports(pairs);
  // BA, CA, CB, DA, DB, DC, each with its support.
  EXPECT_EQ(pairs.items, (std::vector<std::uint32_t>{3, 1, 5, 0, 6, 0, 9, 0, 10, 0, 12, 1}));
}

TEST(AprioriTables, CountRowsOfSeveralWords) {
  std::vector<std::uint64_t> starts{0};
  std::vector<std::uint32_t> entries;
  for (std::uint32_t t = 0; t < 100; ++t) {
    if (t % 3 != 0) entries.push_back(0);
    if (t % 5 != 0) entries.push_back(1);
    starts.push_back(entries.size());
  }
  AprioriTables pairs;
  const std::vector<std::uint32_t> items{0, 1};
  join_all(tables_of_items({{"A", "B"}, starts, entries}, items), pairs);
  count_supports(pairs);
  EXPECT_EQ(pairs.items, (std::vector<std::uint32_t>{3, 53}));  // 100 - 34 - 20 + 7
}

}  // namespace
}  // namespace atl::cuda
