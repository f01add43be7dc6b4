#include <algorithm>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "islands/archipelago/placement.hpp"

namespace atl::test {
namespace {

std::vector<int> ranks_of(const Placement& placement) {
  std::vector<int> ranks;
  for (std::uint32_t i = 0; i < placement.islands; ++i) ranks.push_back(placement.rank_of(i));
  return ranks;
}

TEST(Placement, IslandsFollowTheRanksInOrder) {
  EXPECT_EQ(ranks_of({4, 1}), (std::vector<int>{0, 0, 0, 0}));
  EXPECT_EQ(ranks_of({4, 2}), (std::vector<int>{0, 0, 1, 1}));
  EXPECT_EQ(ranks_of({4, 4}), (std::vector<int>{0, 1, 2, 3}));
}

TEST(Placement, RanksNeedNotDivideIslands) {
  EXPECT_EQ(ranks_of({4, 3}), (std::vector<int>{0, 0, 1, 2}));
  EXPECT_EQ(ranks_of({5, 2}), (std::vector<int>{0, 0, 0, 1, 1}));
  EXPECT_EQ(ranks_of({5, 3}), (std::vector<int>{0, 0, 1, 1, 2}));
  EXPECT_EQ(ranks_of({7, 3}), (std::vector<int>{0, 0, 0, 1, 1, 2, 2}));
}

TEST(Placement, EveryRankHasARunOfIslandsOfNearlyTheSameLength) {
  for (std::uint32_t islands = 1; islands <= 40; ++islands) {
    for (std::uint32_t count = 1; count <= islands; ++count) {
      const auto ranks = static_cast<int>(count);
      const Placement placement{islands, ranks};
      std::uint32_t next = 0;
      for (int rank = 0; rank < ranks; ++rank) {
        ASSERT_EQ(placement.first_island(rank), next) << islands << " on " << ranks;
        const std::uint32_t end = placement.first_island(rank + 1);
        ASSERT_GE(end - next, islands / count);
        ASSERT_LE(end - next, (islands + count - 1) / count);
        for (; next < end; ++next) ASSERT_EQ(placement.rank_of(next), rank);
      }
      ASSERT_EQ(next, islands);
    }
  }
}

TEST(Placement, ManyIslandsDoNotOverflow) {
  constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
  const Placement placement{most, 1000};
  EXPECT_EQ(placement.rank_of(most - 1), 999);
  EXPECT_EQ(placement.first_island(1000), most);
}

}  // namespace
}  // namespace atl::test
