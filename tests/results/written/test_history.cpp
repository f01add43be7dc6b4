// What history keeps of a long run.
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "src/results/written/history.hpp"

namespace atl {
namespace {

std::vector<std::uint32_t> kept_below(const HistoryThinning& thinning, std::uint32_t end) {
  std::vector<std::uint32_t> kept;
  for (std::uint32_t g = 0; g < end; ++g) {
    if (thinning.keeps(g)) kept.push_back(g);
    EXPECT_EQ(thinning.kept_up_to(g), kept.size()) << g;
  }
  return kept;
}

TEST(HistoryThinning, KeepsEachGenerationThatIsAskedFor) {
  EXPECT_EQ(kept_below({3, 1000, 50}, 8), (std::vector<std::uint32_t>{0, 3, 6}));
  EXPECT_EQ(kept_below({1, 1U << 24, std::nullopt}, 4), (std::vector<std::uint32_t>{0, 1, 2, 3}));
}

TEST(HistoryThinning, TakesThePowerOfTwoThatAMillionRowsAllow) {
  EXPECT_EQ(kept_below({0, 1000, 1000}, 3).size(), 3U);
  EXPECT_EQ(kept_below({0, 1000, 1001}, 5), (std::vector<std::uint32_t>{0, 2, 4}));
  EXPECT_EQ(kept_below({0, 16384, 1000}, 33), (std::vector<std::uint32_t>{0, 32}));
  EXPECT_EQ(kept_below({0, 5, 0}, 2).size(), 2U);
}

TEST(HistoryThinning, DoublesWhereARunMayEndAtAnyTime) {
  // Three rows of each island are a million.
  const HistoryThinning thinning(0, 300'000, std::nullopt);
  EXPECT_EQ(kept_below(thinning, 30),
            (std::vector<std::uint32_t>{0, 1, 2, 3, 5, 7, 9, 13, 17, 21, 29}));
  const HistoryThinning many(0, 16'000'000, std::nullopt);
  EXPECT_EQ(kept_below(many, 16), (std::vector<std::uint32_t>{0, 1, 3, 7, 15}));
  EXPECT_TRUE(HistoryThinning(0, 1, std::nullopt).keeps(999'999));
  EXPECT_TRUE(HistoryThinning(0, 1, std::nullopt).keeps(1'000'000));
  EXPECT_FALSE(HistoryThinning(0, 1, std::nullopt).keeps(1'000'001));
  // Twelve phases of a million rows have 4,095 million generations; of the others one in 4,096.
  EXPECT_EQ(HistoryThinning(0, 1, std::nullopt).kept_up_to(4'294'967'295U),
            12'000'000U + 199'967'295U / 4096 + 1);
}

HistoryRow row(std::uint32_t generation, std::uint32_t island, std::vector<double> best) {
  HistoryRow made;
  made.generation = generation;
  made.island = island;
  made.mean = best;
  made.best = std::move(best);
  return made;
}

TEST(HistoryBest, ImprovesByAnyMeasure) {
  const double none = std::nan("");
  HistoryBest best;
  EXPECT_FALSE(best.improves(row(0, 0, {none, none})));
  EXPECT_TRUE(best.improves(row(1, 0, {none, 1})));
  EXPECT_FALSE(best.improves(row(2, 0, {none, 1})));
  EXPECT_TRUE(best.improves(row(3, 0, {-5, 0})));
  EXPECT_FALSE(best.improves(row(4, 0, {-6, none})));
  EXPECT_TRUE(best.improves(row(5, 0, {-5, 1.5})));
}

TEST(History, HasEachRowOnce) {
  History history;
  history.kept = {row(0, 0, {1}), row(0, 1, {1}), row(4, 1, {2})};
  history.last = {row(5, 0, {1}), row(4, 1, {2})};
  const std::vector<HistoryRow> rows = history.rows();
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[2].island, 1U);
  EXPECT_EQ(rows[3].generation, 5U);
}

}  // namespace
}  // namespace atl
