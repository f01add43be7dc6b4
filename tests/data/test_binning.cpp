#include <numeric>

#include <gtest/gtest.h>

#include "src/core/random.hpp"
#include "src/data/binning.hpp"

namespace atl::test {
namespace {

using Ends = std::vector<std::uint32_t>;

TEST(BinEnds, AreAllCodesIfTheyFit) {
  const std::vector<std::uint64_t> counts = {5, 1, 9};
  EXPECT_EQ(bin_ends(counts, 0), (Ends{0, 1, 2}));
  EXPECT_EQ(bin_ends(counts, 3), (Ends{0, 1, 2}));
  EXPECT_EQ(bin_ends(counts, 100), (Ends{0, 1, 2}));
}

TEST(BinEnds, CloseWhereTheCumulativeCountReachesItsShare) {
  // 10 rows in 3 bins: 4, 7 and 10 rows.
  EXPECT_EQ(bin_ends(std::vector<std::uint64_t>(10, 1), 3), (Ends{3, 6, 9}));
  // Ties stay together: the second code reaches two shares, so there are two bins.
  EXPECT_EQ(bin_ends(std::vector<std::uint64_t>{1, 7, 1, 1}, 3), (Ends{1, 3}));
  EXPECT_EQ(bin_ends(std::vector<std::uint64_t>{1, 7, 1, 1}, 1), (Ends{3}));
}

TEST(BinEnds, GiveTheTailsBinsOfTheirOwn) {
  // 16 bins of 1000 rows: 2 of 5 rows at either end, 12 for the 980 between.
  const Ends ends = bin_ends(std::vector<std::uint64_t>(1000, 1), 16);
  EXPECT_EQ(ends,
            (Ends{4, 9, 91, 173, 254, 336, 418, 499, 581, 663, 744, 826, 908, 989, 994, 999}));
  EXPECT_EQ(bin_ends(std::vector<std::uint64_t>(100000, 1), 256).size(), 256U);
}

TEST(BinEnds, PartitionTheCodesWhateverTheCounts) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    RandomStream stream({seed, 0, 0, 0, Purpose::test});
    std::vector<std::uint64_t> counts(1 + stream.below(300));
    for (auto& count : counts) count = 1 + stream.below(stream.chance(0.1) ? 1000000 : 10);
    if (seed % 5 == 0) counts[stream.below(counts.size())] = std::uint64_t{1} << 60;
    const auto max_bins = static_cast<std::uint32_t>(1 + stream.below(300));
    const Ends ends = bin_ends(counts, max_bins);
    ASSERT_LE(ends.size(), std::max<std::size_t>(max_bins, 1));
    ASSERT_EQ(ends.back(), counts.size() - 1);
    for (std::size_t i = 1; i < ends.size(); ++i) ASSERT_LT(ends[i - 1], ends[i]);
  }
}

TEST(ApplyBins, KeepsTheEndsOfEachBin) {
  Attribute exact;
  exact.name = "x";
  exact.low = exact.high = {1, 2.5, 3, 10, 11};
  exact.counts = {1, 2, 3, 4, 5};
  exact.exact_distinct = 5;
  EXPECT_FALSE(exact.binned());
  const Attribute binned = apply_bins(exact, Ends{1, 2, 4});
  EXPECT_TRUE(binned.binned());
  EXPECT_EQ(binned.low, (std::vector<double>{1, 3, 10}));
  EXPECT_EQ(binned.high, (std::vector<double>{2.5, 3, 11}));
  EXPECT_EQ(binned.counts, (std::vector<std::uint64_t>{3, 3, 9}));
  EXPECT_EQ(binned.exact_distinct, 5U);
  EXPECT_EQ(binned.planes(), 2U);
}

TEST(Attribute, PlanesAreTheBitsOfTheGreatestCode) {
  EXPECT_EQ(planes_for(0), 1U);
  EXPECT_EQ(planes_for(1), 1U);
  EXPECT_EQ(planes_for(2), 1U);
  EXPECT_EQ(planes_for(3), 2U);
  EXPECT_EQ(planes_for(256), 8U);
  EXPECT_EQ(planes_for(257), 9U);
  EXPECT_EQ(planes_for(std::uint64_t{1} << 32), 32U);
}

}  // namespace
}  // namespace atl::test
