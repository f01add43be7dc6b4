// What the thesis' pipeline prunes is not frequent.
#include <numeric>

#include <gtest/gtest.h>

#include "cuda/uncertain/thesis_pipeline.hpp"
#include "src/core/random.hpp"
#include "src/exhaustive/uncertain/tails.hpp"

namespace atl::test {
namespace {

TEST(ThesisPruning, TakesNoFrequentSetAway) {
  int pruned = 0, kept = 0;
  for (std::uint32_t draw = 0; draw < 40; ++draw) {
    RandomStream stream({.seed = 5, .slot = draw, .purpose = Purpose::generate});
    const std::uint32_t rows = 1 + static_cast<std::uint32_t>(stream.below(200));
    const double most = stream.next_double();
    std::vector<double> probabilities(rows);
    for (double& p : probabilities) p = most * (1 - stream.next_double());
    const double expected = std::accumulate(probabilities.begin(), probabilities.end(), 0.0);
    for (std::uint32_t least = 1; least <= rows + 1; ++least) {
      for (const double probability : {1e-6, 0.5, 0.999}) {
        const bool prunes = cuda::thesis_prunes(rows, expected, {least, probability});
        (prunes ? pruned : kept) += 1;
        if (!prunes || least > rows) continue;
        EXPECT_LT(reference_tail(probabilities, least), probability) << rows << " " << least;
      }
    }
    EXPECT_TRUE(cuda::thesis_prunes(rows, expected, {rows + 1, 1e-9}));
  }
  EXPECT_GT(pruned, 1000);
  EXPECT_GT(kept, 1000);
}

TEST(ThesisRank, IsTheExponentOfTheNextPowerOfTwo) {
  const std::pair<std::uint32_t, std::uint32_t> ranks[] = {{0, 0}, {1, 0}, {2, 1},     {3, 2},
                                                           {4, 2}, {5, 3}, {4096, 12}, {4097, 13}};
  for (const auto& [transactions, rank] : ranks) {
    EXPECT_EQ(cuda::thesis_rank(transactions), rank) << transactions;
  }
}

}  // namespace
}  // namespace atl::test
