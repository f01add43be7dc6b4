#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "src/results/choice/best_parts.hpp"
#include "tests/islands/planted_table.hpp"

namespace atl::test {

namespace {

// Of the table's x0: 40 levels of about 100 rows each, so that its grid cuts every third level or
// so.
class BestPartsTest : public testing::Test {
 protected:
  std::vector<LevelRange> found(const std::vector<std::int64_t>& gains, double square = 1,
                                std::uint32_t attribute = 0) const {
    LevelGains sums{gains, std::vector<double>(gains.size(), square)};
    std::vector<LevelRange> out;
    parts_.find(attribute, sums, out);
    return out;
  }

  // 1 from low to high, else -1.
  static std::vector<std::int64_t> peak(std::size_t low, std::size_t high,
                                        std::int64_t height = 1) {
    std::vector<std::int64_t> gains(40, -1);
    for (std::size_t i = low; i <= high; ++i) gains[i] = height;
    return gains;
  }

  static bool has(const std::vector<LevelRange>& ranges, std::uint32_t low, std::uint32_t high) {
    return std::any_of(ranges.begin(), ranges.end(), [&](const LevelRange& range) {
      return range.low == low && range.high == high;
    });
  }

  Dataset dataset_ = planted_table(4000);
  BoundGrammar grammar_ = association_grammar(dataset_);
  RowSample sample_{dataset_, 100'000};
  BestParts parts_{sample_, grammar_};
};

}  // namespace

TEST_F(BestPartsTest, BoundsLeaveTheGridWhereThatIsClear) {
  // Without noise the bounds of most gain are found, whatever the grid.
  for (const std::size_t low : {10, 11, 12, 13}) {
    const auto ranges = found(peak(low, low + 9), 0);
    EXPECT_TRUE(has(ranges, static_cast<std::uint32_t>(low), static_cast<std::uint32_t>(low + 9)))
        << low;
  }
  // With much of it they stay on one of 16 cuts, so that not each of these is found.
  std::size_t exact = 0;
  for (std::uint32_t low = 10; low < 18; ++low) {
    const auto ranges = found(peak(low, low + 9), 100);
    ASSERT_FALSE(ranges.empty());
    if (has(ranges, low, low + 9)) ++exact;
  }
  EXPECT_LT(exact, 4U);
}

TEST_F(BestPartsTest, WhatLiesWithinABinThatDoesNotGainIsFound) {
  auto gains = std::vector<std::int64_t>(40, -10);
  gains[20] = 8;
  const auto ranges = found(gains);
  ASSERT_EQ(ranges.size(), 1U);
  EXPECT_EQ(ranges[0].low, 20U);
  EXPECT_EQ(ranges[0].high, 20U);
  EXPECT_EQ(ranges[0].gain, 8);
  EXPECT_TRUE(found(gains, 100).empty());  // by chance
}

TEST_F(BestPartsTest, GainsAreThoseOfTheRanges) {
  const auto gains = peak(0, 24, 2);
  const auto ranges = found(gains, 0);
  EXPECT_TRUE(has(ranges, 0, 24));
  for (const LevelRange& range : ranges) {
    const auto from = gains.begin() + range.low;
    EXPECT_EQ(range.gain, std::accumulate(from, gains.begin() + range.high + 1, std::int64_t{0}));
    EXPECT_FALSE(range.low == 0 && range.high == 39);
  }
}

TEST_F(BestPartsTest, OfLabelsEachThatGains) {
  const auto ranges = found({3, -1, 0, 2, -2}, 1, 5);
  ASSERT_EQ(ranges.size(), 2U);
  EXPECT_EQ(ranges[0].low, 0U);
  EXPECT_EQ(ranges[1].low, 3U);
  EXPECT_EQ(ranges[1].gain, 2);
}

}  // namespace atl::test
