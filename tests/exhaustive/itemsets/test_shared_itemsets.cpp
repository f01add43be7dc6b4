#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <stdexcept>
#include <stop_token>
#include <string>

#include <gtest/gtest.h>

#include "src/exhaustive/itemsets/itemsets.hpp"
#include "src/exhaustive/itemsets/parted_search.hpp"
#include "src/exhaustive/itemsets/ranked_rows.hpp"
#include "src/exhaustive/itemsets/search_branch.hpp"
#include "src/exhaustive/itemsets/shared_search.hpp"
#include "tests/exhaustive/itemset_lines.hpp"
#include "tests/exhaustive/itemset_reference.hpp"

namespace atl::test {
namespace {

/// @return how many sets there are
std::uint64_t list_all(const TransactionSet& transactions, const ItemsetLimits& limits,
                       const WriteText& write, ThreadPool& pool) {
  std::atomic<std::uint64_t> sets = 0;
  PartedSearch search(transactions, limits, true, pool);
  search.list({search.whole()}, make_lines, write, {}, sets);
  return sets;
}

std::pair<std::uint64_t, std::string> listed(const TransactionSet& transactions,
                                             const ItemsetLimits& limits, unsigned threads) {
  ThreadPool pool(threads);
  std::string text;
  const std::uint64_t sets = list_all(
      transactions, limits, [&](std::string_view piece) { text += piece; }, pool);
  return {sets, std::move(text)};
}

std::vector<std::uint64_t> counted(const TransactionSet& transactions, const ItemsetLimits& limits,
                                   unsigned threads) {
  ThreadPool pool(threads);
  return count_itemsets(transactions, limits, pool);
}

TEST(SharedItemsets, AreTheSameOnAnyNumberOfThreads) {
  for (const Shape& shape : shapes()) {
    if (shape.transactions > 10000) continue;
    SCOPED_TRACE(testing::Message()
                 << shape.transactions << " transactions, " << shape.chance.size() << " items");
    const TransactionSet transactions = random_set(9, shape.transactions, shape.chance);
    for (const auto& [max_length, family] :
         {std::pair{~0U, ItemsetFamily::all}, std::pair{3U, ItemsetFamily::all},
          std::pair{~0U, ItemsetFamily::closed}, std::pair{~0U, ItemsetFamily::maximal}}) {
      const ItemsetLimits limits{.min_count = shape.min_count,
                                 .min_length = 2,
                                 .max_length = max_length,
                                 .family = family};
      const auto list = listed(transactions, limits, 1);
      const auto counts = counted(transactions, limits, 1);
      ASSERT_GT(list.first, 0U);
      for (const unsigned threads : {2U, 3U, 8U}) {
        EXPECT_TRUE(listed(transactions, limits, threads) == list) << threads;
        EXPECT_EQ(counted(transactions, limits, threads), counts) << threads;
      }
    }
  }
}

TEST(SharedItemsets, WaitWhereTheirTextIsTooMuchToKeep) {
  const TransactionSet transactions = random_set(10, 400, std::vector<double>(26, 0.7));
  const ItemsetLimits limits{.min_count = 35};
  const auto list = listed(transactions, limits, 1);
  ASSERT_GT(list.second.size(), std::size_t{8} << 20);
  for (const unsigned threads : {2U, 5U}) {
    EXPECT_TRUE(listed(transactions, limits, threads) == list) << threads;
  }
}

/// Few transactions that have most of 20 items, and many with two of a hundred others.
TransactionSet dense_among_sparse() {
  RandomStream draw({12, 0, 0, 0, Purpose::test});
  ItemLists lists = random_lists(draw, 22, std::vector<double>(20, 0.75));
  for (std::uint32_t t = 0; t < 200; ++t) {
    const auto [first, second] = std::minmax({20 + t % 100, 20 + (t + 1 + t / 100) % 100});
    lists.push_back({first, second});
  }
  return transactions_of(120, lists);
}

TEST(SharedItemsets, HaveTheItemsOfLoopsThatAreNotShared) {
  // Lists of fewer entries are not handed out, but the columns below them are.
  const TransactionSet transactions = dense_among_sparse();
  const RankedRows rows = ranked_rows(transactions, 3, 0);
  ASSERT_FALSE(rows.is_dense());
  ASSERT_LT(rows.starts.back(), SearchTrail::least_entries);
  for (const ItemsetFamily family : {ItemsetFamily::all, ItemsetFamily::closed}) {
    const ItemsetLimits limits{.min_count = 3, .family = family};
    const auto list = listed(transactions, limits, 1);
    ASSERT_GT(list.first, 2000U);
    for (const unsigned threads : {2U, 8U}) {
      EXPECT_TRUE(listed(transactions, limits, threads) == list) << threads;
    }
  }
}

TEST(SharedItemsets, EndWithTheErrorOfTheirReader) {
  const TransactionSet transactions = random_set(10, 400, std::vector<double>(26, 0.7));
  ThreadPool pool(4);
  for (const int good : {0, 1, 300}) {
    int pieces = 0;
    const auto write = [&](std::string_view) {
      if (pieces++ == good) throw std::runtime_error("nobody reads on");
    };
    EXPECT_THROW(list_all(transactions, {.min_count = 35}, write, pool), std::runtime_error);
    EXPECT_EQ(pieces, good + 1);
  }
}

TEST(SharedItemsets, EndSoonWhenStopped) {
  // Far more sets than anybody waits for.
  const TransactionSet transactions = random_set(11, 20000, falling(80, 0.9, 0.995));
  for (const unsigned threads : {1U, 3U}) {
    ThreadPool pool(threads);
    std::stop_source stop;
    auto counts = std::async(std::launch::async, [&] {
      return count_itemsets(transactions, {.min_count = 20}, pool, stop.get_token());
    });
    EXPECT_EQ(counts.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
    stop.request_stop();
    EXPECT_THROW(counts.get(), SearchStopped);
    EXPECT_THROW(count_itemsets(transactions, {.min_count = 20}, pool, stop.get_token()),
                 SearchStopped);
  }
}

/// A thread that is about to hand out a branch when the search is stopped must end, too.
TEST(SharedItemsets, EndWheneverStopped) {
  const TransactionSet transactions = random_set(12, 500, falling(200, 0.7, 1));
  ThreadPool pool(16);
  for (int k = 0; k < 30; ++k) {
    std::stop_source stop;
    auto counts = std::async(std::launch::async, [&] {
      return count_itemsets(transactions, {.min_count = 20}, pool, stop.get_token());
    });
    EXPECT_EQ(counts.wait_for(std::chrono::milliseconds(2 + k % 7)), std::future_status::timeout);
    stop.request_stop();
    EXPECT_THROW(counts.get(), SearchStopped);
  }
}

}  // namespace
}  // namespace atl::test
