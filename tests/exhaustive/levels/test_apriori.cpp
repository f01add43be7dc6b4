#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <hwy/targets.h>
#include <rapidcheck.h>

#include "src/core/error.hpp"
#include "src/exhaustive/itemsets/itemsets.hpp"
#include "src/exhaustive/levels/apriori.hpp"
#include "tests/exhaustive/itemset_reference.hpp"
#include "tests/exhaustive/small_search.hpp"

namespace atl::test {
namespace {

constexpr std::uint64_t much = std::uint64_t{1} << 40;

SetList by_levels(const ItemsetLevels& found, const ItemsetLimits& limits) {
  KeptSets kept;
  found.hand_over(limits, kept);
  return std::move(kept.sets);
}

/// The same sets in the same order as the miner, and as many of each length, by both counters.
void expect_as_the_miner(const TransactionSet& transactions, const ItemsetLimits& limits,
                         ThreadPool& pool) {
  const ItemBitmaps bitmaps(transactions, limits.min_count);
  const SetList expected = listed_sets(transactions, limits);
  const auto by_cpu = make_cpu_candidate_counter(bitmaps, pool);
  const ItemsetLevels found = find_levels(bitmaps, limits, *by_cpu, pool, much);
  ASSERT_EQ(by_levels(found, limits), expected);
  ASSERT_EQ(found.by_length(limits), count_itemsets(transactions, limits, pool));
  const auto by_reference = make_reference_candidate_counter(bitmaps);
  ASSERT_EQ(by_levels(find_levels(bitmaps, limits, *by_reference, pool, much), limits), expected);
}

TEST(Apriori, FindsSetsWorkedOutByHand) {
  const TransactionSet transactions =
      transactions_of(4, {{0, 1, 2}, {0, 1}, {0, 1, 2, 3}, {}, {1}, {0, 2}});
  const ItemBitmaps bitmaps(transactions, 3);
  EXPECT_EQ(bitmaps.transactions, 4U);  // those of two frequent items
  EXPECT_EQ(bitmaps.supports, (std::vector<std::uint32_t>{4, 4, 3}));
  ThreadPool pool(1);
  const auto counter = make_cpu_candidate_counter(bitmaps, pool);
  const ItemsetLevels found = find_levels(bitmaps, {.min_count = 3}, *counter, pool, much);
  EXPECT_EQ(by_levels(found, {.min_count = 3}),
            SetList({{{0}, 4}, {{1}, 4}, {{1, 0}, 3}, {{2}, 3}, {{2, 0}, 3}}));
  EXPECT_EQ(found.by_length({}), (std::vector<std::uint64_t>{0, 3, 2}));
  EXPECT_EQ(found.by_length({.min_length = 2}), (std::vector<std::uint64_t>{0, 0, 2}));
}

TEST(Apriori, FindsNothingInNothing) {
  ThreadPool pool(2);
  for (const TransactionSet& transactions :
       {transactions_of(0, {}), transactions_of(0, {{}, {}}), transactions_of(2, {{0, 1}, {0}}),
        transactions_of(3, {{0}, {0}, {0}, {1}, {1}, {1}, {2}})}) {
    expect_as_the_miner(transactions, {.min_count = 3}, pool);
  }
}

TEST(Apriori, FindsWhatTheMinerFindsInItsOrder) {
  ThreadPool pool(3);
  EXPECT_TRUE(rc::check([&] {
    const SmallSearch search = any_small_search();
    expect_as_the_miner(search.transactions, search.limits, pool);
    RC_ASSERT(!testing::Test::HasFatalFailure());
  }));
}

TEST(Apriori, FindsWhatTheMinerFindsAtEachLengthOfColumns) {
  ThreadPool pool(2);
  const std::vector<double> chance(12, 0.6);
  for (const std::size_t count :
       {1U, 31U, 32U, 33U, 63U, 64U, 65U, 511U, 512U, 513U, 4095U, 4097U}) {
    SCOPED_TRACE(count);
    expect_as_the_miner(random_set(count, count, chance), {.min_count = count / 20 + 1}, pool);
  }
}

TEST(Apriori, IsTheSameForEachInstructionSet) {
  hwy::SetSupportedTargetsForTest(0);
  ThreadPool pool(1);
  const TransactionSet transactions = random_set(5, 700, std::vector<double>(14, 0.5));
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    expect_as_the_miner(transactions, {.min_count = 20}, pool);
  }
  hwy::SetSupportedTargetsForTest(0);
}

/// Counts candidates, besides.
class MeteredCounter final : public CandidateCounter {
 public:
  explicit MeteredCounter(const ItemBitmaps& bitmaps)
      : counter_(make_reference_candidate_counter(bitmaps)) {}
  void count_pairs(std::uint32_t first, std::uint32_t last,
                   std::span<std::uint32_t> supports) override {
    counter_->count_pairs(first, last, supports);
  }
  void count(std::span<Candidates> candidates) override {
    counter_->count(candidates);
    for (const Candidates& some : candidates) counted += some.pairs.size();
  }
  std::size_t counted = 0;

 private:
  std::unique_ptr<CandidateCounter> counter_;
};

TEST(Apriori, CountsNoCandidateWithAnInfrequentSubset) {
  // 2 is the rarest. {2, 1} and {2, 0} are frequent and joined, {1, 0} is not frequent.
  const TransactionSet transactions =
      transactions_of(3, {{0, 2}, {0, 2}, {1, 2}, {1, 2}, {0}, {0}, {0}, {1}, {1}, {1}});
  const ItemBitmaps bitmaps(transactions, 2);
  MeteredCounter counter(bitmaps);
  ThreadPool pool(1);
  EXPECT_EQ(find_levels(bitmaps, {.min_count = 2}, counter, pool, much).by_length({}),
            (std::vector<std::uint64_t>{0, 3, 2}));
  EXPECT_EQ(counter.counted, 0U);

  // With {1, 0} twice, {2, 1, 0} has to be counted, though no transaction has it.
  const TransactionSet all_pairs =
      transactions_of(3, {{0, 2}, {0, 2}, {1, 2}, {1, 2}, {0, 1}, {0, 1}, {0}, {1}});
  const ItemBitmaps of_pairs(all_pairs, 2);
  MeteredCounter counts(of_pairs);
  EXPECT_EQ(find_levels(of_pairs, {.min_count = 2}, counts, pool, much).by_length({}),
            (std::vector<std::uint64_t>{0, 3, 3}));
  EXPECT_EQ(counts.counted, 1U);
}

TEST(Apriori, RefusesMoreSetsThanItMayHold) {
  std::vector<std::uint32_t> all(24);
  std::iota(all.begin(), all.end(), 0U);
  const TransactionSet transactions = transactions_of(24, {all, all});
  const ItemBitmaps bitmaps(transactions, 2);
  ThreadPool pool(2);
  const auto counter = make_cpu_candidate_counter(bitmaps, pool);
  try {
    find_levels(bitmaps, {.min_count = 2}, *counter, pool, std::uint64_t{1} << 20);
    FAIL() << "2^24 sets in 1 MiB";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("--memory-limit leaves (1 MiB)"), std::string::npos)
        << error.what();
  }
  const ItemsetLevels found =
      find_levels(bitmaps, {.min_count = 2, .max_length = 3}, *counter, pool, 1 << 20);
  EXPECT_EQ(found.by_length({}), (std::vector<std::uint64_t>{0, 24, 276, 2024}));
}

}  // namespace
}  // namespace atl::test
