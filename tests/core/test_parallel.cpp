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

}  // namespace
}  // namespace atl::test
