// Transactions that are generated: what the model says of them, and the same ones whoever makes
// them.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/core/error.hpp"
#include "src/generate/probabilities.hpp"
#include "src/generate/quest.hpp"
#include "src/generate/random_baskets.hpp"
#include "src/generate/write_baskets.hpp"
#include "tests/io/temporary_folder.hpp"
#include "tests/work/task_in_pieces.hpp"

namespace atl::test {
namespace {

using Baskets = std::vector<std::vector<std::uint32_t>>;

/// The first ones.
Baskets baskets_of(const BasketSource& source, std::uint64_t count) {
  Baskets all;
  for (std::uint64_t first = 0; first < count; first += slice_rows) {
    source.make({first, std::min<std::uint64_t>(first + slice_rows, count)},
                [&](std::span<const std::uint32_t> items) {
                  all.emplace_back(items.begin(), items.end());
                });
  }
  return all;
}

double mean_length(const Baskets& baskets) {
  double items = 0;
  for (const auto& basket : baskets) items += static_cast<double>(basket.size());
  return items / static_cast<double>(baskets.size());
}

bool ascending_below(const std::vector<std::uint32_t>& items, std::uint32_t limit) {
  return std::adjacent_find(items.begin(), items.end(), std::greater_equal<>()) == items.end() &&
         (items.empty() || items.back() < limit);
}

TEST(Quest, TransactionsAreItemsInOrderAndAsLongAsAskedFor) {
  for (const double length : {1.0, 10.0, 40.0}) {
    const QuestSource source(
        {.length = length, .pattern_length = std::min(length, 4.0), .items = 300, .patterns = 500});
    const Baskets baskets = baskets_of(source, 20'000);
    ASSERT_EQ(baskets.size(), 20'000U);
    for (const auto& basket : baskets) {
      ASSERT_TRUE(!basket.empty() && ascending_below(basket, 300));
    }
    // A Poisson variable's deviation is its mean's root; what does not fit is put in or left out.
    EXPECT_NEAR(mean_length(baskets), length, 0.03 * length + 0.1) << length;
  }
}

TEST(Quest, PatternsHaveTheLengthAndShareThatAreAskedFor) {
  const QuestSource source(
      {.pattern_length = 6, .items = 100'000, .patterns = 5000, .correlation = 0.3});
  double items = 0, common = 0, corruption = 0;
  const auto& patterns = source.patterns();
  for (std::size_t p = 0; p < patterns.size(); ++p) {
    ASSERT_TRUE(ascending_below(patterns[p].items, 100'000));
    items += static_cast<double>(patterns[p].items.size());
    corruption += patterns[p].corruption;
    if (p == 0) continue;
    std::vector<std::uint32_t> both;
    std::set_intersection(patterns[p].items.begin(), patterns[p].items.end(),
                          patterns[p - 1].items.begin(), patterns[p - 1].items.end(),
                          std::back_inserter(both));
    common += static_cast<double>(both.size()) / static_cast<double>(patterns[p].items.size());
  }
  const auto count = static_cast<double>(patterns.size());
  EXPECT_NEAR(items / count, 6, 0.15);
  EXPECT_NEAR(corruption / count, 0.5, 0.02);
  // Below 0.3, as a pattern cannot share more items than the one before it has.
  EXPECT_NEAR(common / count, 0.27, 0.03);
}

TEST(Quest, WithoutCorruptionTransactionsHoldWholePatterns) {
  const QuestSource source({.length = 30,
                            .pattern_length = 3,
                            .items = 10'000,
                            .patterns = 50,
                            .correlation = 0,
                            .corruption = 0});
  std::size_t whole = 0, patterns = 0;
  for (const auto& pattern : source.patterns()) {
    if (pattern.corruption != 0) continue;
    ++patterns;
    for (const auto& basket : baskets_of(source, 200)) {
      whole +=
          std::includes(basket.begin(), basket.end(), pattern.items.begin(), pattern.items.end())
              ? 1U
              : 0U;
    }
  }
  EXPECT_GT(patterns, 10U);
  EXPECT_GT(whole, 20 * patterns);  // of 200; by chance none
}

TEST(Quest, OfFewItemsTransactionsEnd) {
  const QuestSource source({.length = 50, .items = 3, .patterns = 1});
  for (const auto& basket : baskets_of(source, 2000)) ASSERT_TRUE(ascending_below(basket, 3));
}

TEST(Quest, TheFirstOfMoreAreThoseOfFew) {
  const QuestSource source({});
  const Baskets all = baskets_of(source, 3000);
  for (const std::size_t count : {1U, 1000U, 1024U, 1025U, 2500U}) {
    const Baskets few = baskets_of(source, count);
    EXPECT_TRUE(std::equal(few.begin(), few.end(), all.begin())) << count;
  }
}

TEST(RandomBaskets, HaveEachItemWithItsProbability) {
  for (const double probability : {0.001, 0.05, 0.7, 1.0}) {
    const RandomBasketsSource source({.items = 200, .probability = probability});
    constexpr std::uint64_t count = 20'000;
    std::vector<double> seen(200);
    for (const auto& basket : baskets_of(source, count)) {
      ASSERT_TRUE(ascending_below(basket, 200));
      for (const std::uint32_t item : basket) ++seen[item];
    }
    const double deviation = std::sqrt(count * probability * (1 - probability));
    for (const double of_item : seen) {
      EXPECT_NEAR(of_item, count * probability, 5 * deviation) << probability;
    }
  }
}

TEST(Probabilities, LieWithinTheirBounds) {
  for (const char* model : {"uniform", "normal:0.5,0.1", "normal:1,1", "normal:0.95,0.05"}) {
    const ProbabilityModel parsed = parse_probability_model(model);
    std::set<double> seen;
    double sum = 0;
    for (std::uint64_t t = 0; t < 10'000; ++t) {
      const double drawn = draw_probability(parsed, 1, t);
      ASSERT_TRUE(drawn > 0 && drawn <= 1) << model;
      seen.insert(drawn);
      sum += drawn;
    }
    EXPECT_GT(seen.size(), 9990U) << model;
    if (parsed.mean == 0.5) {
      EXPECT_NEAR(sum / 10'000, 0.5, 0.02) << model;
    }
  }
  EXPECT_EQ(draw_probability(parse_probability_model("normal:0.25,0"), 1, 5), 0.25);
}

TEST(Probabilities, OfAnotherModelAreRefused) {
  for (const char* model : {"", "Uniform", "uniform:1", "normal", "normal:", "normal:0.5",
                            "normal:0,0.1", "normal:1.1,0.1", "normal:0.5,-0.1", "normal:0.5,2",
                            "normal:0.5,0.1,3", "normal:x,0.1", "normal:nan,0.1"}) {
    EXPECT_THROW(parse_probability_model(model), UsageError) << model;
  }
}

std::string lines_of(const BasketSource& source, std::uint64_t transactions, unsigned threads) {
  const auto make = [&] {
    return std::make_unique<LinesTask>(Identity{"baskets", 1, {}}, basket_lines(source),
                                       transactions);
  };
  return TaskInPieces(make, transactions, threads).run().text;
}

TEST(WrittenBaskets, AreOneALineOnAnyNumberOfThreads) {
  const RandomBasketsSource source({.items = 30, .probability = 0.03});
  const std::uint64_t count = block_rows + 1500;
  std::string expected;
  for (const auto& basket : baskets_of(source, count)) {
    for (const std::uint32_t item : basket) expected += std::to_string(item) + ' ';
    if (!basket.empty()) expected.pop_back();
    expected += '\n';
  }
  EXPECT_NE(expected.find("\n\n"), std::string::npos);  // some have no item
  for (const unsigned threads : {1U, 3U}) {
    EXPECT_TRUE(lines_of(source, count, threads) == expected) << threads;
  }
}

/// A change here changes every file that was ever generated.
TEST(WrittenBaskets, ArePinned) {
  TemporaryFolder folder;
  LocalCommunicator local;
  write_probabilities(parse_probability_model("normal:0.5,0.1"), 7, 2, folder / "p.txt",
                      {local, 1});
  EXPECT_EQ(lines_of(QuestSource({.seed = 7}), 3, 1),
            "125 128 192 277 288 355 460 640 672 699 724 849 994\n"
            "7 183 341 469 504 550 592 718 747 890\n"
            "130 148 201 227 231 279 454 666 850\n");
  EXPECT_EQ(lines_of(RandomBasketsSource({.seed = 7}), 2, 1),
            "41 169 238 375 441 634 666 901\n"
            "65 105 119 129 161 165 211 223 337 580 606 836\n");
  EXPECT_EQ(slurp(folder / "p.txt"), "0.4664360736359775\n0.629380693051065\n");
}

}  // namespace
}  // namespace atl::test
