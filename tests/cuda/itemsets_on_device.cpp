// Frequent itemsets counted on a GPU beside those that the cores count.
#include <memory>
#include <utility>

#include <gtest/gtest.h>

#include "cuda/host/itemset_input.hpp"
#include "cuda/itemsets/itemset_counter.hpp"
#include "src/exhaustive/itemsets/itemsets.hpp"
#include "tests/cuda/device.hpp"
#include "tests/cuda/prefix_cases.hpp"

namespace atl::test {
namespace {

std::vector<std::uint64_t> counts_of(ItemsetCounter& counter, const ItemsetLimits& limits) {
  counter.prepare(limits);
  counter.start();
  counter.finish();
  EXPECT_TRUE(counter.ready());
  return counter.read().sets;
}

TEST(ItemsetsOnDevice, EqualTheCores) {
  ThreadPool pool(2);
  for (const PrefixCase& c : prefix_cases()) {
    SCOPED_TRACE(c.name);
    const auto counter = on_device([&] { return cuda::make_itemset_counter(c.transactions, {}); });
    if (counter == nullptr) return;
    const auto expected = count_itemsets(c.transactions, c.limits, pool);
    EXPECT_EQ(counts_of(*counter, c.limits), expected);
    EXPECT_EQ(counts_of(*counter, c.limits), expected);
  }
}

TEST(ItemsetsOnDevice, AreTheSumOfTheirParts) {
  ThreadPool pool(2);
  for (const PrefixCase& c : prefix_cases()) {
    SCOPED_TRACE(c.name);
    const auto counter = on_device([&] { return cuda::make_itemset_counter(c.transactions, {}); });
    if (counter == nullptr) return;
    if (c.transactions.size() < c.limits.min_count) continue;
    const std::uint32_t items = cuda::itemset_input(c.transactions, c.limits.min_count).items;
    counter->prepare(c.limits);
    ItemsetTally sum;
    for (const auto& [first, end] : {std::pair{0U, items / 2}, std::pair{items / 2, items}}) {
      counter->start_part(first, end);
      counter->finish();
      ItemsetCounts part = counter->read();
      sum.add(part.tally);
    }
    EXPECT_EQ(asked_lengths(sum.by_length(), c.limits),
              count_itemsets(c.transactions, c.limits, pool));
  }
}

TEST(ItemsetsOnDevice, AreCountedAfterASearchThatWasCancelled) {
  ThreadPool pool(2);
  const PrefixCase c = prefix_cases()[5];
  const auto counter = on_device([&] { return cuda::make_itemset_counter(c.transactions, {}); });
  if (counter == nullptr) return;
  counter->prepare(c.limits);
  counter->start();
  counter->cancel();
  counter->finish();
  EXPECT_EQ(counts_of(*counter, c.limits), count_itemsets(c.transactions, c.limits, pool));
}

TEST(ItemsetsOnDevice, AreCountedInLittleMemory) {
  ThreadPool pool(2);
  const PrefixCase c = prefix_cases()[5];
  const auto counter = on_device([&] {
    return cuda::make_itemset_counter(c.transactions, {0, 1 << 20});
  });
  if (counter == nullptr) return;
  EXPECT_EQ(counts_of(*counter, c.limits), count_itemsets(c.transactions, c.limits, pool));
}

TEST(ItemsetsOnDevice, AreLimited) {
  const TransactionSet many = transactions_of(600, {[] {
                                                      std::vector<std::uint32_t> all(600);
                                                      for (std::uint32_t i = 0; i < 600; ++i)
                                                        all[i] = i;
                                                      return all;
                                                    }(),
                                                    {}});
  const auto counter = on_device([&] { return cuda::make_itemset_counter(many, {}); });
  if (counter == nullptr) return;
  EXPECT_THROW(counter->prepare({.min_count = 1}), BackendUnavailable);
}

TEST(ItemsetsOnDevice, EndWhereNobodyWaits) {
  const PrefixCase c = prefix_cases()[0];
  const auto counter = on_device([&] { return cuda::make_itemset_counter(c.transactions, {}); });
  if (counter == nullptr) return;
  counter->prepare(c.limits);
  counter->start();
}

}  // namespace
}  // namespace atl::test
