#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include "src/exhaustive/uncertain/convolution.hpp"
#include "src/exhaustive/uncertain/tail_bounds.hpp"
#include "src/exhaustive/uncertain/tails.hpp"
#include "tests/exhaustive/uncertain/uncertain_reference.hpp"

namespace atl::test {
namespace {

struct Drawn {
  std::vector<double> probabilities;
  double mean = 0, variance = 0;
  std::uint32_t least = 1;
};

/// Any transactions, and a number of them that is often near the mean.
Drawn draw_tail(std::uint64_t seed, std::size_t most) {
  RandomStream draw({seed, 0, 0, 0, Purpose::test});
  Drawn drawn;
  for (const double p :
       random_probabilities(draw, 1 + draw.below(static_cast<std::uint32_t>(most)))) {
    if (p < 1) drawn.probabilities.push_back(p);
  }
  if (drawn.probabilities.empty()) drawn.probabilities.push_back(0.25);
  for (const double p : drawn.probabilities) {
    drawn.mean += p;
    drawn.variance += p * (1 - p);
  }
  const auto rows = static_cast<double>(drawn.probabilities.size());
  const double off = (draw.next_double() - 0.5) * 10 * std::sqrt(drawn.variance + 1);
  const double least =
      draw.chance(0.3) ? 1 + std::floor(draw.next_double() * rows) : std::floor(drawn.mean + off);
  drawn.least = static_cast<std::uint32_t>(std::clamp(least, 1.0, rows));
  return drawn;
}

TEST(Tails, OfTheThesis) {
  // Kozawa 2016, figure 3.1: P(sup({b}) >= 2) = 0.47 + 0.28
  const std::vector<double> b = {0.8, 0.7, 0.5};
  EXPECT_NEAR(reference_tail(b, 2), 0.75, 1e-15);
  EXPECT_NEAR(TailFinder().find(b, 2), 0.75, 1e-15);
  EXPECT_NEAR(TailFinder().find(b, 3), 0.28, 1e-15);
  EXPECT_NEAR(TailFinder().find(b, 1), 0.97, 1e-15);
}

TEST(Tails, AreThoseOfAllWorlds) {
  TailFinder finder;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Drawn drawn = draw_tail(seed, 12);
    const long double expected = tail_of_worlds(drawn.probabilities, drawn.least);
    const auto is_near = [&](double tail) {
      return std::abs(tail - expected) <= 1e-14L * expected;
    };
    EXPECT_TRUE(is_near(reference_tail(drawn.probabilities, drawn.least))) << seed;
    EXPECT_NEAR(finder.find(drawn.probabilities, drawn.least), static_cast<double>(expected),
                1e-15);
    const double careful = finder.find_carefully(drawn.probabilities, drawn.least);
    EXPECT_NEAR(careful / static_cast<double>(expected), 1, 1e-10) << seed;
  }
}

TEST(Tails, AreThoseOfTheReference) {
  TailFinder finder;
  for (std::uint64_t seed = 0; seed < 64; ++seed) {
    const Drawn drawn = draw_tail(seed, seed < 60 ? 1000 : 7000);  // the largest by transforms
    const auto expected = static_cast<double>(exact_tail(drawn.probabilities, drawn.least));
    EXPECT_NEAR(finder.find(drawn.probabilities, drawn.least), expected, 1e-13) << seed;
    const double careful = finder.find_carefully(drawn.probabilities, drawn.least);
    EXPECT_NEAR(careful, expected, 1e-9 * expected + 1e-300) << seed;
  }
}

TEST(Tails, AreTheSameOnEveryInstructionSetButForRounding) {
  const Drawn drawn = draw_tail(3, 4000);
  const double expected = TailFinder().find(drawn.probabilities, drawn.least);
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    EXPECT_NEAR(TailFinder().find(drawn.probabilities, drawn.least), expected, 1e-14);
  }
  hwy::SetSupportedTargetsForTest(0);
}

TEST(TailBounds, EncloseTheTail) {
  std::size_t said = 0;
  for (std::uint64_t seed = 0; seed < 900; ++seed) {
    const Drawn drawn = draw_tail(seed, seed % 5 == 0 ? 400 : 40);
    const auto tail = static_cast<double>(exact_tail(drawn.probabilities, drawn.least));
    const SupportMoments moments{static_cast<std::uint32_t>(drawn.probabilities.size()), drawn.mean,
                                 drawn.variance};
    for (const auto bounds :
         {hoeffding_bounds, bennett_bounds, normal_bounds, poisson_bounds, tail_bounds}) {
      const TailBounds found = bounds(moments, drawn.least);
      EXPECT_LE(found.lower, tail + 1e-15) << seed;
      EXPECT_GE(found.upper, tail - 1e-15) << seed;
      said += found.upper < 0.5 || found.lower > 0.5;
    }
  }
  EXPECT_GT(said, 600U);
}

TEST(TailBounds, ProveAllNineDecimals) {
  // 200,000 transactions at a half: 7 standard deviations from the mean
  const SupportMoments moments{200000, 100000, 50000};
  EXPECT_GT(tail_bounds(moments, 98430).lower, 1 - 1e-10);
  EXPECT_LT(tail_bounds(moments, 101570).upper, 1e-10);
  EXPECT_LT(tail_bounds(moments, 100300).upper, 0.1);  // by the normal distribution
}

TEST(LikelyCounts, HaveAllButATrace) {
  const std::vector<double> probabilities(900, 0.3);
  const auto [first, last] = likely_counts(900, 270, 189, 41.5);
  EXPECT_LT(exact_tail(probabilities, last + 1), 1e-18L);
  EXPECT_LT(1 - exact_tail(probabilities, first), 1e-17L);
  EXPECT_LT(last - first, 300U);
}

}  // namespace
}  // namespace atl::test
