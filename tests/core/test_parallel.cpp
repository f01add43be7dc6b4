#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "src/core/parallel.hpp"
#include "src/core/row_hash.hpp"

namespace atl::test {
namespace {

TEST(ForEachIndex, CallsWithEachOnceWithAPoolAndWithout) {
  ThreadPool pool(3);
  for (ThreadPool* const some : {static_cast<ThreadPool*>(nullptr), &pool}) {
    std::vector<int> called(1000, 0);
    for_each_index(some, called.size(), [&](std::size_t i) { ++called[i]; });
    EXPECT_TRUE(std::all_of(called.begin(), called.end(), [](int times) { return times == 1; }));
  }
}

TEST(SortInParallel, SortsAnyNumberOfItemsByAnyNumberOfThreads) {
  for (const std::size_t items : {0U, 1U, 2U, 32'767U, 32'768U, 100'001U, 300'000U}) {
    std::vector<std::uint64_t> expected(items);
    for (std::size_t i = 0; i < items; ++i) expected[i] = row_hash(i) % 50'000;
    const std::vector<std::uint64_t> unsorted = expected;
    std::sort(expected.begin(), expected.end());
    for (const unsigned threads : {1U, 3U, 4U, 8U}) {
      ThreadPool pool(threads);
      std::vector<std::uint64_t> sorted = unsorted;
      sort_in_parallel(sorted, std::less<>(), &pool);
      EXPECT_EQ(sorted, expected) << items << " items, " << threads << " threads";
    }
  }
}

TEST(DealInParallel, KeepsTheOrderInBucketsWhateverTheNumberOfThreads) {
  constexpr std::size_t count = 100'003, buckets = 7;
  std::vector<std::vector<std::size_t>> expected(buckets);
  for (std::size_t i = 0; i < count; ++i)
    if (row_hash(i) % 8 < buckets) expected[row_hash(i) % 8].push_back(i);
  const auto each = [](std::size_t i, const auto& take) {
    if (row_hash(i) % 8 < buckets) take(row_hash(i) % 8, i);  // the last share is not dealt
  };
  for (const unsigned threads : {0U, 1U, 3U}) {
    ThreadPool pool(std::max(threads, 1U));
    const auto dealt =
        deal_in_parallel<std::size_t>(count, buckets, each, threads == 0 ? nullptr : &pool);
    ASSERT_EQ(dealt.buckets(), buckets);
    for (std::size_t b = 0; b < buckets; ++b) {
      const auto its = dealt.of(b, b + 1);
      EXPECT_EQ(std::vector<std::size_t>(its.begin(), its.end()), expected[b]) << b;
    }
  }
  EXPECT_EQ(deal_in_parallel<std::size_t>(0, 2, each, nullptr).of(0, 2).size(), 0U);
}

}  // namespace
}  // namespace atl::test
