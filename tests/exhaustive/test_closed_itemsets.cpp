#include <algorithm>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <hwy/targets.h>
#include <rapidcheck.h>

#include "src/exhaustive/itemsets.hpp"
#include "tests/exhaustive/itemset_reference.hpp"

namespace atl::test {
namespace {

using Kept = std::vector<std::pair<std::vector<std::uint32_t>, std::uint32_t>>;

Kept closed_list(const TransactionSet& transactions, const ItemsetLimits& limits) {
  KeptSets kept;
  list_itemsets(transactions, limits, kept);
  return kept.sets;
}

/// Both families, listed and counted, beside those of the reference.
void expect_exact_families(const TransactionSet& transactions, ItemsetLimits limits) {
  const Supports all = frequent_sets(transactions, limits.min_count);
  for (const ItemsetFamily family : {ItemsetFamily::closed, ItemsetFamily::maximal}) {
    limits.family = family;
    Supports expected = only(family, all);
    std::erase_if(expected, [&](const auto& set) {
      return set.first.size() < limits.min_length || set.first.size() > limits.max_length;
    });
    std::vector<std::uint64_t> lengths;
    for (const auto& [set, support] : expected) {
      lengths.resize(std::max(lengths.size(), set.size() + 1));
      ++lengths[set.size()];
    }
    Supports found;
    for (auto [set, support] : closed_list(transactions, limits)) {
      std::ranges::sort(set);
      ASSERT_TRUE(found.emplace(std::move(set), support).second);
    }
    ASSERT_EQ(found, expected);
    ThreadPool one(1);
    ASSERT_EQ(count_itemsets(transactions, limits, one), lengths);
  }
}

TEST(ClosedItemsets, AreThoseWorkedOutByHand) {
  const TransactionSet transactions =
      transactions_of(4, {{0, 1, 2}, {0, 1}, {0, 1, 2, 3}, {}, {1}, {0, 2}});
  const Kept closed = {{{0}, 4}, {{1}, 4}, {{1, 0}, 3}, {{2, 0}, 3}};
  const Kept maximal = {{{1, 0}, 3}, {{2, 0}, 3}};
  EXPECT_EQ(closed_list(transactions, {.min_count = 3, .family = ItemsetFamily::closed}), closed);
  EXPECT_EQ(closed_list(transactions, {.min_count = 3, .family = ItemsetFamily::maximal}), maximal);
}

TEST(ClosedItemsets, BeginWithTheItemsOfAllTransactions) {
  const TransactionSet transactions = transactions_of(3, {{0, 2}, {0, 1, 2}, {0, 2}, {0, 1, 2}});
  const Kept closed = {{{0, 2}, 4}, {{0, 2, 1}, 2}};
  EXPECT_EQ(closed_list(transactions, {.min_count = 2, .family = ItemsetFamily::closed}), closed);
  EXPECT_EQ(closed_list(transactions, {.min_count = 3, .family = ItemsetFamily::maximal}),
            Kept({{{0, 2}, 4}}));
}

TEST(ClosedItemsets, OfNothingAreNone) {
  for (const TransactionSet& transactions : {transactions_of(0, {}), transactions_of(0, {{}, {}}),
                                             transactions_of(2, {{0, 1}, {0}, {1}})}) {
    for (const ItemsetFamily family : {ItemsetFamily::closed, ItemsetFamily::maximal}) {
      EXPECT_TRUE(closed_list(transactions, {.min_count = 3, .family = family}).empty());
    }
  }
}

TEST(ClosedItemsets, OfAnySmallTransactionsEqualTheReference) {
  EXPECT_TRUE(rc::check([] {
    const auto items = *rc::gen::inRange<std::size_t>(1, 13);
    const auto count = *rc::gen::inRange<std::size_t>(1, 90);
    const auto percents = *rc::gen::container<std::vector<int>>(items, rc::gen::inRange(0, 101));
    std::vector<double> chance;
    for (const int percent : percents) chance.push_back(percent / 100.0);
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    ItemsetLimits limits;
    limits.min_count = *rc::gen::inRange<std::uint64_t>(1, count + 1);
    limits.min_length = *rc::gen::inRange<std::uint32_t>(1, 4);
    limits.max_length = *rc::gen::inRange<std::uint32_t>(limits.min_length, 14);
    expect_exact_families(random_set(seed, count, chance), limits);
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
