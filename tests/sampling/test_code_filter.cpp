#define HWY_WANT_AVX3_DL
#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <vector>

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include "src/core/random.hpp"
#include "src/sampling/code_filter.hpp"

namespace atl::test {
namespace {

using RowBits = std::array<std::uint64_t, filter_rows / 64>;

/// RowBits in which so many rows of 64 are set, or which are full.
RowBits random_row_bits(std::uint32_t number, std::uint64_t of_64) {
  RandomStream stream({7, 0, 0, number, Purpose::test});
  RowBits made{};
  for (std::uint32_t row = 0; row < filter_rows; ++row) {
    if (stream.below(64) < of_64) made[row / 64] |= std::uint64_t{1} << row % 64;
  }
  return made;
}

void expect_listed(const RowBits& rows, const RowBits& marked, std::uint32_t first) {
  std::vector<std::uint32_t> expected;
  std::size_t expected_marked = 0;
  for (std::uint32_t row = 0; row < filter_rows; ++row) {
    const auto is_in = [row](const RowBits& bits) { return (bits[row / 64] >> row % 64 & 1) != 0; };
    if (!is_in(rows)) continue;
    expected.push_back((first + row) * 2 + (is_in(marked) ? 1 : 0));
    expected_marked += is_in(marked) ? 1 : 0;
  }
  constexpr std::uint32_t untouched = 0xABCDEF01;
  std::vector<std::uint32_t> out(filter_rows + spare_rows + 1, untouched);
  const ListedRows listed = list_rows(rows.data(), marked.data(), first, out.data());
  EXPECT_EQ(listed.marked, expected_marked);
  ASSERT_EQ(listed.rows, expected.size());
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), out.begin()));
  EXPECT_EQ(out.back(), untouched);
}

TEST(CodeFilter, ListsTheSameRowsWithEveryInstructionSet) {
  std::set<std::int64_t> tried;
  hwy::SetSupportedTargetsForTest(0);
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    tried.insert(target);
    for (const std::uint64_t of_64 : {0U, 1U, 3U, 8U, 15U, 16U, 17U, 33U, 60U, 64U}) {
      const RowBits rows = random_row_bits(1, of_64);
      RowBits marked = random_row_bits(2, 24);
      for (std::size_t w = 0; w < rows.size(); ++w) marked[w] &= rows[w];
      for (const std::uint32_t first : {0U, 5U * 1024, (1U << 30) - 1024}) {
        expect_listed(rows, marked, first);
        expect_listed(rows, rows, first);
      }
    }
  }
  hwy::SetSupportedTargetsForTest(0);
#if HWY_ARCH_X86
  EXPECT_GE(tried.size(), 3U);
#endif
}

}  // namespace
}  // namespace atl::test
