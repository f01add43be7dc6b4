#include <algorithm>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "src/data/dataset.hpp"
#include "src/data/divide.hpp"
#include "tests/data/expect_equal_attributes.hpp"
#include "tests/support/random.hpp"

namespace atl::test {
namespace {

struct Size {
  std::uint64_t rows;
  std::uint32_t partition_rows;
};

constexpr int most_members = 5;

/// From one row to so many partitions that members get whole ones.
const std::vector<Size>& sizes() {
  static const std::vector<Size> all = {{1, 65'536},           {63, 4096},       {4095, 4096},
                                        {4096, 65'536},        {4097, 65'536},   {9000, 4096},
                                        {12'288, 8192},        {20'001, 8192},   {70'037, 65'536},
                                        {8192 * 32 + 1, 8192}, {4096 * 81, 4096}};
  return all;
}

void expect_codes(const Dataset& shard, const RandomTable& table) {
  for (std::uint32_t a = 0; a < table.attributes.size(); ++a) {
    const auto first = table.columns[a].begin() + static_cast<std::ptrdiff_t>(shard.first_row());
    const std::vector<std::uint32_t> expected(first,
                                              first + static_cast<std::ptrdiff_t>(shard.rows()));
    EXPECT_EQ(all_codes(shard, a), expected) << "attribute " << a;
    for (std::uint64_t row = 0; row < shard.rows(); row += 997) {
      EXPECT_EQ(shard.code(row, a), expected[row]) << "row " << row << " of attribute " << a;
    }
    if (shard.rows() > 0) {
      EXPECT_EQ(shard.code(shard.rows() - 1, a), expected.back());
    }
  }
}

/// What those that count by planes rely on.
void expect_partitions(const Dataset& shard) {
  std::uint64_t rows = 0;
  for (std::size_t p = 0; p < shard.partitions(); ++p) {
    EXPECT_EQ(shard.partition_first_row(p), rows);
    rows += shard.partition_rows(p);
    if (p + 1 < shard.partitions()) {
      EXPECT_EQ(shard.partition_rows(p) % partition_granule, 0U);
    }
    EXPECT_GE(shard.words(p) * 64, shard.partition_rows(p));
    EXPECT_EQ(shard.words(p) % 8, 0U);
    const auto plane = shard.plane(p, 0, 0);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(plane.data()) % 64, 0U);
    for (std::uint64_t bit = shard.partition_rows(p); bit < plane.size() * 64; ++bit) {
      ASSERT_EQ(plane[bit / 64] >> (bit % 64) & 1, 0U) << "beyond the rows of partition " << p;
    }
  }
  EXPECT_EQ(rows, shard.rows());
}

TEST(Divide, ShardsAreNeighboursThatHaveEachRowOnce) {
  for (const Size& size : sizes()) {
    const RandomTable table = random_table(size.rows, size.rows, 4, true);
    Dataset whole = make_dataset(table.attributes, table.columns, size.partition_rows);
    for (const int members : {1, 2, 3, most_members}) {
      SCOPED_TRACE(testing::Message() << size.rows << " rows, " << members << " members");
      std::uint64_t next = 0;
      for (int member = 0; member < members; ++member) {
        divide(whole, {member, members});
        const Dataset& shard = whole.shard();
        EXPECT_EQ(shard.first_row(), next);
        next += shard.rows();
        expect_codes(shard, table);
        expect_partitions(shard);
      }
      EXPECT_EQ(next, size.rows);
    }
  }
}

TEST(Divide, AShardSaysOfTheWholeWhatTheWholeSays) {
  for (const Size& size : sizes()) {
    const RandomTable table = random_table(size.rows, size.rows, 4, true);
    Dataset whole = make_dataset(table.attributes, table.columns, size.partition_rows);
    const Fingerprint fingerprint = whole.fingerprint();
    EXPECT_EQ(&whole.shard(), &whole) << "before it is divided";
    for (int member = 0; member < 3; ++member) {
      divide(whole, {member, 3});
      for (const Dataset* const one : {&whole.shard(), const_cast<const Dataset*>(&whole)}) {
        EXPECT_EQ(one->whole_rows(), size.rows);
        EXPECT_EQ(one->fingerprint(), fingerprint);
        ASSERT_EQ(one->attributes().size(), table.attributes.size());
        for (std::size_t a = 0; a < table.attributes.size(); ++a) {
          expect_equal(one->attributes()[a], table.attributes[a]);
        }
      }
    }
    EXPECT_EQ(whole.rows(), size.rows);
    EXPECT_EQ(whole.first_row(), 0U);
    expect_codes(whole, table);
  }
}

TEST(Divide, MembersHaveEqualParts) {
  for (const Size& size : sizes()) {
    const RandomTable table = random_table(1, size.rows, 2, false);
    Dataset whole = make_dataset(table.attributes, table.columns, size.partition_rows);
    std::vector<std::uint64_t> rows;
    for (int member = 0; member < most_members; ++member) {
      divide(whole, {member, most_members});
      rows.push_back(whole.shard().rows());
    }
    const auto [least, most] = std::minmax_element(rows.begin(), rows.end());
    // One of them has a granule more, and the last granule may be short.
    EXPECT_LE(*most - *least, 2 * partition_granule) << size.rows << " rows";
  }
}

TEST(Divide, FewRowsLeaveMembersWithoutAny) {
  const RandomTable table = random_table(2, 5000, 3, true);
  Dataset whole = make_dataset(table.attributes, table.columns);
  std::size_t without = 0;
  for (int member = 0; member < most_members; ++member) {
    divide(whole, {member, most_members});
    if (whole.shard().rows() > 0) continue;
    ++without;
    EXPECT_EQ(whole.shard().partitions(), 0U);
    EXPECT_TRUE(all_codes(whole.shard(), 0).empty());
  }
  EXPECT_EQ(without, 3U);
}

}  // namespace
}  // namespace atl::test
