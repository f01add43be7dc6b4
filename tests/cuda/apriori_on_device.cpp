// The level-wise search on a device against the reference, and the published kernels against loops.
#include <limits>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "cuda/itemsets/apriori_counter.hpp"
#include "cuda/published/level_pipeline.hpp"
#include "src/exhaustive/itemsets/ranked_rows.hpp"
#include "src/exhaustive/levels/apriori.hpp"
#include "tests/cuda/device.hpp"
#include "tests/exhaustive/itemset_reference.hpp"

namespace atl::test {
namespace {

TransactionSet random_transactions(std::uint64_t seed, std::size_t count, std::size_t items,
                                   double chance) {
  RandomStream draw({seed, 0, 0, 0, Purpose::test});
  std::vector<double> chances;
  for (std::size_t i = 0; i < items; ++i) {
    chances.push_back(chance * (1 - static_cast<double>(i) / (2.0 * static_cast<double>(items))));
  }
  return transactions_of(static_cast<std::uint32_t>(items), random_lists(draw, count, chances));
}

/// All pairs, by ranges that begin and end anywhere.
void expect_same_pairs(CandidateCounter& counter, CandidateCounter& expected, std::uint32_t items) {
  for (const std::uint32_t step : {1U, 7U, 64U, 1000U}) {
    for (std::uint32_t first = 1; first < items; first += step) {
      const std::uint32_t last = std::min(items, first + step);
      std::vector<std::uint32_t> found(pairs_before(last) - pairs_before(first), 12345);
      std::vector<std::uint32_t> right(found.size());
      counter.count_pairs(first, last, found);
      expected.count_pairs(first, last, right);
      ASSERT_EQ(found, right) << "from " << first << " to " << last;
    }
  }
}

void expect_same_levels(const ItemsetLevels& found, const ItemsetLevels& expected) {
  ASSERT_EQ(found.levels.size(), expected.levels.size());
  for (std::size_t l = 0; l < found.levels.size(); ++l) {
    EXPECT_EQ(found.levels[l].ranks, expected.levels[l].ranks) << "level " << l;
    EXPECT_EQ(found.levels[l].supports, expected.levels[l].supports) << "level " << l;
    EXPECT_EQ(found.levels[l].first_child, expected.levels[l].first_child) << "level " << l;
  }
}

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

/// @param reference  looks at each transaction; else the CPU's AND and popcount
void expect_as_on_the_host(const TransactionSet& transactions, std::uint64_t min_count,
                           bool reference) {
  const ItemBitmaps bitmaps(transactions, min_count);
  const auto counter = on_device([&] { return cuda::make_apriori_counter(bitmaps); });
  if (counter == nullptr) return;
  ThreadPool pool(2);
  const auto on_host = reference ? make_reference_candidate_counter(bitmaps)
                                 : make_cpu_candidate_counter(bitmaps, pool);
  if (reference) expect_same_pairs(*counter, *on_host, bitmaps.items());
  const ItemsetLimits limits{.min_count = min_count};
  expect_same_levels(find_levels(bitmaps, limits, *counter, pool, unlimited),
                     find_levels(bitmaps, limits, *on_host, pool, unlimited));
}

class AprioriOnDevice : public testing::TestWithParam<std::size_t> {};

TEST_P(AprioriOnDevice, CountsAsTheReference) {
  const std::size_t count = GetParam();
  for (const std::size_t items : {1U, 2U, 17U}) {
    expect_as_on_the_host(random_transactions(count, count, items, 0.7), count / 8 + 1, true);
  }
}
INSTANTIATE_TEST_SUITE_P(Transactions, AprioriOnDevice,
                         testing::Values(1, 31, 32, 33, 63, 64, 65, 511, 513, 4095, 4097));

TEST(AprioriOnDevice, CountsAsTheCpu) {
  expect_as_on_the_host(random_transactions(1, 70, 300, 0.2), 3, true);        // tiles of items
  expect_as_on_the_host(random_transactions(2, 70'000, 14, 0.8), 900, false);  // chunks of columns
  expect_as_on_the_host(random_transactions(3, 3000, 200, 0.05), 4, false);    // sparse
  expect_as_on_the_host(random_transactions(4, 200, 20, 1.0), 40, false);      // tasks of a class
}

TEST(AprioriOnDevice, CountsNothingWhereNoTransactionHasTwoItems) {
  expect_as_on_the_host(transactions_of(3, {{0}, {0}, {1}, {1}, {2}, {}}), 1, true);
}

void expect_as_the_loops(std::size_t items, std::size_t count) {
  SCOPED_TRACE(testing::Message() << items << " items, " << count << " transactions");
  const TransactionSet transactions = random_transactions(items + count, count, items, 0.5);
  std::vector<std::uint32_t> all(items);
  std::iota(all.begin(), all.end(), 0U);
  const cuda::AprioriTables tables = cuda::tables_of_items(transactions, all);
  const auto pipeline = on_device([&] { return cuda::make_level_pipeline(tables); });
  if (pipeline == nullptr) return;
  cuda::AprioriTables expected;
  cuda::join_all(tables, expected);
  for (const cuda::LevelJoin how : {cuda::LevelJoin::square, cuda::LevelJoin::triangular}) {
    EXPECT_GT(pipeline->join(how), 0);
    const cuda::AprioriTables found = pipeline->candidates();
    EXPECT_EQ(found.items, expected.items);
    EXPECT_EQ(found.transactions, expected.transactions);
  }
  cuda::count_supports(expected);
  for (const auto how : {cuda::LevelReduction::plain, cuda::LevelReduction::flagged}) {
    std::vector<std::uint32_t> supports;
    pipeline->join(cuda::LevelJoin::square);  // with no supports
    EXPECT_GT(pipeline->count(how, supports), 0);
    for (std::size_t s = 0; s < supports.size(); ++s) {
      ASSERT_EQ(supports[s], expected.items[s * expected.item_columns() + expected.item_words]);
    }
    EXPECT_EQ(pipeline->candidates().items, expected.items);
  }
}

TEST(PublishedLevelOnDevice, MakesAndCountsAsLoopsDo) {
  for (const std::size_t items : {2U, 3U, 8U, 33U}) {
    for (const std::size_t count : {1U, 32U, 33U, 65U, 95U, 160U, 1000U, 4097U, 32768U}) {
      expect_as_the_loops(items, count);
    }
  }
}

}  // namespace
}  // namespace atl::test
