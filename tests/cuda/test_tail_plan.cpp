#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "cuda/host/tail_format.hpp"
#include "cuda/host/tail_plan.hpp"
#include "cuda/host/tail_window.hpp"
#include "src/core/random.hpp"

namespace atl::test {
namespace {

/// [k] that k of the rows exist.
std::vector<double> exact_distribution(const std::vector<double>& probabilities) {
  std::vector<double> exist{1};
  for (const double p : probabilities) {
    exist.push_back(0);
    for (std::size_t k = exist.size() - 1; k > 0; --k)
      exist[k] = exist[k] * (1 - p) + exist[k - 1] * p;
    exist[0] *= 1 - p;
  }
  return exist;
}

TEST(TailWindow, HasAllButANegligiblePart) {
  RandomStream draw({1, 0, 0, 0, Purpose::test});
  for (const double scale : {1e-12, 0.001, 0.1, 1.0}) {
    for (const std::size_t rows : {1U, 16U, 100U, 2000U}) {
      std::vector<double> probabilities;
      double mean = 0, variance = 0;
      for (std::size_t r = 0; r < rows; ++r) {
        const double p = draw.next_double() * scale;
        probabilities.push_back(p);
        mean += p;
        variance += p * (1 - p);
      }
      const double exponent = tail_exponent(rows);
      const auto most = static_cast<std::int32_t>(rows);
      const cuda::CountWindow window = cuda::count_window(mean, variance, exponent, 0, most);
      ASSERT_GE(window.low, 0);
      ASSERT_LE(window.low + window.width - 1, most);
      EXPECT_LE(window.low, mean);
      EXPECT_GE(window.low + window.width - 1, mean);
      EXPECT_LE(window.width, static_cast<int>(cuda::most_window_width(rows, exponent)));
      const std::vector<double> exist = exact_distribution(probabilities);
      double outside = 0;
      for (std::int32_t k = 0; k <= most; ++k) {
        if (k < window.low || k >= window.low + window.width)
          outside += exist[static_cast<std::size_t>(k)];
      }
      EXPECT_LE(outside, 2 * std::exp(-exponent));
    }
  }
}

TEST(TailWindow, GrowsWithTheRootOfTheRows) {
  const double exponent = tail_exponent(200'000);
  EXPECT_EQ(cuda::most_window_width(16, exponent), 17U);
  EXPECT_EQ(cuda::most_window_width(128, exponent), 129U);
  EXPECT_LT(cuda::most_window_width(2048, exponent), 480U);
  EXPECT_LT(cuda::most_window_width(200'000, exponent), 4400U);
}

TEST(TailPlan, TilesHaveRoomForTheirLastWord) {
  EXPECT_EQ(cuda::tail_tiles(0), 0U);
  EXPECT_EQ(cuda::tail_tiles(1), 1U);
  EXPECT_EQ(cuda::tail_tiles(cuda::tile_row_step), 1U);
  EXPECT_EQ(cuda::tail_tiles(cuda::tile_row_step + 1), 2U);
  EXPECT_EQ(cuda::tail_tiles(~0U), ~0U / cuda::tile_row_step + 1);
}

TEST(TailPlan, LevelsWithinATileFitTheSharedMemory) {
  const double exponent = tail_exponent(std::uint64_t{1} << 32);
  for (std::uint32_t l = 0; l < cuda::tile_levels; ++l) {
    const std::uint32_t stride =
        cuda::most_window_width(std::uint64_t{cuda::leaf_rows} << l, exponent) | 1;
    const std::uint32_t nodes = cuda::tile_leaves >> l;
    EXPECT_LE((nodes + 1) / 2 * stride, cuda::half_level_values) << "level " << l;
  }
}

TEST(TailPlan, JoinsAllTilesOfACoverInTheirOrder) {
  const std::vector<std::uint32_t> tiles{1, 0, 2, 3, 7, 100, 1, 4};
  const std::vector<cuda::TailLevel> levels = cuda::plan_tails(tiles);
  // Each node as the covers and tiles that it has.
  struct Node {
    std::uint32_t cover, first, count;
  };
  std::vector<Node> nodes;
  for (std::uint32_t c = 0; c < tiles.size(); ++c) {
    for (std::uint32_t t = 0; t < tiles[c]; ++t) nodes.push_back({c, t, 1});
  }
  std::vector<std::uint32_t> ended(tiles.size(), 0);
  for (const cuda::TailLevel& level : levels) {
    ASSERT_EQ(level.nodes, nodes.size());
    for (const cuda::TailEnd& end : level.ends) {
      for (std::uint32_t n = end.first; n < end.first + end.nodes; ++n) {
        EXPECT_EQ(nodes[n].cover, end.cover);
        EXPECT_EQ(nodes[n].first, ended[end.cover]);
        ended[end.cover] += nodes[n].count;
      }
    }
    std::vector<Node> next;
    for (const cuda::TailJoin& join : level.joins) {
      next.push_back(nodes[join.first]);
      if (join.nodes == 1) continue;
      const Node& other = nodes[join.first + 1];
      EXPECT_EQ(other.cover, next.back().cover);
      EXPECT_EQ(other.first, next.back().first + next.back().count);
      next.back().count += other.count;
    }
    nodes = next;
  }
  EXPECT_TRUE(nodes.empty());
  EXPECT_EQ(ended, tiles);
}

TEST(TailPlan, OfACoverDoesNotDependOnOthers) {
  for (const std::uint32_t tiles : {1U, 2U, 5U, 101U}) {
    const std::vector<std::uint32_t> one{tiles}, two{9, tiles};
    const auto alone = cuda::plan_tails(one), beside = cuda::plan_tails(two);
    for (std::size_t l = 0; l < alone.size(); ++l) {
      std::vector<std::uint32_t> sizes, own;
      for (const cuda::TailJoin& join : alone[l].joins) sizes.push_back(join.nodes);
      for (const cuda::TailJoin& join : beside[l].joins) own.push_back(join.nodes);
      ASSERT_GE(own.size(), sizes.size());
      EXPECT_TRUE(std::equal(sizes.rbegin(), sizes.rend(), own.rbegin()));
    }
  }
}

}  // namespace
}  // namespace atl::test
