#include <algorithm>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <hwy/targets.h>
#include <rapidcheck.h>

#include "src/exhaustive/itemsets/itemsets.hpp"
#include "tests/exhaustive/itemset_reference.hpp"
#include "tests/exhaustive/small_search.hpp"

namespace atl::test {
namespace {

/// Both families, listed and counted, beside those of the reference.
void expect_exact_families(const TransactionSet& transactions, ItemsetLimits limits) {
  const Supports all = frequent_sets(transactions, limits.min_count);
  for (const ItemsetFamily family : {ItemsetFamily::closed, ItemsetFamily::maximal}) {
    limits.family = family;
    const Supports expected = of_asked_lengths(only(family, all), limits);
    Supports found;
    for (auto [set, support] : listed_sets(transactions, limits)) {
      std::ranges::sort(set);
      ASSERT_TRUE(found.emplace(std::move(set), support).second);
    }
    ASSERT_EQ(found, expected);
    ThreadPool one(1);
    ASSERT_EQ(count_itemsets(transactions, limits, one), numbers_by_length(expected));
  }
}

TEST(ClosedItemsets, AreThoseWorkedOutByHand) {
  const TransactionSet transactions =
      transactions_of(4, {{0, 1, 2}, {0, 1}, {0, 1, 2, 3}, {}, {1}, {0, 2}});
  const SetList closed = {{{0}, 4}, {{1}, 4}, {{1, 0}, 3}, {{2, 0}, 3}};
  const SetList maximal = {{{1, 0}, 3}, {{2, 0}, 3}};
  EXPECT_EQ(listed_sets(transactions, {.min_count = 3, .family = ItemsetFamily::closed}), closed);
  EXPECT_EQ(listed_sets(transactions, {.min_count = 3, .family = ItemsetFamily::maximal}), maximal);
}

TEST(ClosedItemsets, BeginWithTheItemsOfAllTransactions) {
  const TransactionSet transactions = transactions_of(3, {{0, 2}, {0, 1, 2}, {0, 2}, {0, 1, 2}});
  const SetList closed = {{{0, 2}, 4}, {{0, 2, 1}, 2}};
  EXPECT_EQ(listed_sets(transactions, {.min_count = 2, .family = ItemsetFamily::closed}), closed);
  EXPECT_EQ(listed_sets(transactions, {.min_count = 3, .family = ItemsetFamily::maximal}),
            SetList({{{0, 2}, 4}}));
}

TEST(ClosedItemsets, OfNothingAreNone) {
  for (const TransactionSet& transactions : {transactions_of(0, {}), transactions_of(0, {{}, {}}),
                                             transactions_of(2, {{0, 1}, {0}, {1}})}) {
    for (const ItemsetFamily family : {ItemsetFamily::closed, ItemsetFamily::maximal}) {
      EXPECT_TRUE(listed_sets(transactions, {.min_count = 3, .family = family}).empty());
    }
  }
}

TEST(ClosedItemsets, OfAnySmallTransactionsEqualTheReference) {
  EXPECT_TRUE(rc::check([] {
    const SmallSearch search = any_small_search();
    expect_exact_families(search.transactions, search.limits);
    RC_ASSERT(!testing::Test::HasFatalFailure());
  }));
}

TEST(ClosedItemsets, OfEachShapeEqualTheReferenceForEachInstructionSet) {
  hwy::SetSupportedTargetsForTest(0);
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    for (const Shape& shape : shapes()) {
      if (shape.transactions > 10000) continue;
      SCOPED_TRACE(testing::Message() << hwy::TargetName(target) << ": " << shape.transactions
                                      << " transactions, " << shape.chance.size() << " items");
      expect_exact_families(random_set(11, shape.transactions, shape.chance),
                            {.min_count = shape.min_count});
    }
  }
  hwy::SetSupportedTargetsForTest(0);
}

}  // namespace
}  // namespace atl::test
