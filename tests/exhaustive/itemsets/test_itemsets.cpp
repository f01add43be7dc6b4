#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <hwy/targets.h>
#include <rapidcheck.h>

#include "src/exhaustive/itemsets/itemset_tally.hpp"
#include "src/exhaustive/itemsets/itemsets.hpp"
#include "tests/exhaustive/itemset_reference.hpp"
#include "tests/exhaustive/small_search.hpp"

namespace atl::test {
namespace {

/// [items] by descending support, then by number.
std::vector<std::uint32_t> ranks(const TransactionSet& transactions) {
  std::vector<std::uint32_t> items(transactions.item_count());
  std::iota(items.begin(), items.end(), 0U);
  std::ranges::stable_sort(items, std::greater<>(),
                           [&](std::uint32_t item) { return transactions.supports()[item]; });
  std::vector<std::uint32_t> ranks(items.size());
  for (std::uint32_t r = 0; r < items.size(); ++r) ranks[items[r]] = r;
  return ranks;
}

/// Both ways of the miner beside the reference, the order of the listed sets included.
void expect_exact(const TransactionSet& transactions, const ItemsetLimits& limits) {
  ThreadPool one(1);
  const Supports expected = of_asked_lengths(frequent_sets(transactions, limits.min_count), limits);
  ASSERT_EQ(count_itemsets(transactions, limits, one), numbers_by_length(expected));

  const std::vector<std::uint32_t> rank = ranks(transactions);
  std::vector<std::vector<std::uint32_t>> order;
  Supports found;
  for (auto [set, support] : listed_sets(transactions, limits)) {
    order.emplace_back();
    for (const std::uint32_t item : set) order.back().push_back(rank[item]);
    ASSERT_TRUE(std::ranges::is_sorted(order.back(), std::greater<>()));
    std::ranges::sort(set);
    ASSERT_TRUE(found.emplace(std::move(set), support).second);
  }
  ASSERT_TRUE(std::ranges::is_sorted(order));
  ASSERT_EQ(found, expected);
}

TEST(Itemsets, AreThoseWorkedOutByHand) {
  ThreadPool one(1);
  const TransactionSet transactions =
      transactions_of(4, {{0, 1, 2}, {0, 1}, {0, 1, 2, 3}, {}, {1}, {0, 2}});
  EXPECT_EQ(listed_sets(transactions, {.min_count = 3}),
            SetList({{{0}, 4}, {{1}, 4}, {{1, 0}, 3}, {{2}, 3}, {{2, 0}, 3}}));
  EXPECT_EQ(count_itemsets(transactions, {.min_count = 3}, one),
            (std::vector<std::uint64_t>{0, 3, 2}));
}

TEST(Itemsets, OfNothingAreNone) {
  ThreadPool one(1);
  for (const TransactionSet& transactions :
       {transactions_of(0, {}), transactions_of(0, {{}, {}}), transactions_of(2, {{0, 1}, {0}})}) {
    EXPECT_TRUE(listed_sets(transactions, {.min_count = 3}).empty());
    EXPECT_TRUE(count_itemsets(transactions, {.min_count = 3}, one).empty());
  }
}

TEST(Itemsets, OfAnySmallTransactionsEqualTheReference) {
  EXPECT_TRUE(rc::check([] {
    const SmallSearch search = any_small_search();
    expect_exact(search.transactions, search.limits);
    RC_ASSERT(!testing::Test::HasFatalFailure());
  }));
}

TEST(Itemsets, OfEachShapeEqualTheReference) {
  for (const Shape& shape : shapes()) {
    SCOPED_TRACE(testing::Message()
                 << shape.transactions << " transactions, " << shape.chance.size() << " items");
    const TransactionSet transactions = random_set(7, shape.transactions, shape.chance);
    for (const std::uint32_t max_length : {~0U, 3U}) {
      expect_exact(transactions, {.min_count = shape.min_count, .max_length = max_length});
    }
  }
}

TEST(Itemsets, AreTheSameForEachInstructionSet) {
  hwy::SetSupportedTargetsForTest(0);
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    for (const Shape& shape : shapes()) {
      if (shape.transactions > 10000 || shape.chance.size() > 100) continue;
      expect_exact(random_set(8, shape.transactions, shape.chance), {.min_count = shape.min_count});
    }
  }
  hwy::SetSupportedTargetsForTest(0);
}

TEST(Itemsets, AreCountedBeyondWhatCouldBeListed) {
  ThreadPool one(1);
  // 70 items in all of 3 transactions: 2^70 - 1 sets, of 35 items more than 64 bits count.
  std::vector<std::uint32_t> all(70);
  std::iota(all.begin(), all.end(), 0U);
  const auto counts = count_itemsets(transactions_of(70, {all, all, all}), {.min_count = 2}, one);
  ASSERT_EQ(counts.size(), 71U);
  EXPECT_EQ(counts[1], 70U);
  EXPECT_EQ(counts[2], 2415U);
  EXPECT_EQ(counts[35], ~std::uint64_t{0});
  EXPECT_EQ(counts[68], 2415U);
  EXPECT_EQ(counts[70], 1U);
}

TEST(ItemsetTally, EmptiesLanesBeforeTheyOverflow) {
  ItemsetTally tally;
  for (int i = 0; i < 100000; ++i) {
    std::uint16_t* const lanes = tally.lanes<std::uint16_t>(0, 1, 3);
    lanes[0] = static_cast<std::uint16_t>(lanes[0] + 3);
    lanes[5] = static_cast<std::uint16_t>(lanes[5] + 1);
  }
  EXPECT_EQ(tally.by_length(), (std::vector<std::uint64_t>{0, 300000, 0, 100000}));
}

}  // namespace
}  // namespace atl::test
