#include <gtest/gtest.h>

#include "src/bench/stopwatch.hpp"

namespace atl {
namespace {

TEST(Stopwatch, RunsAtLeastFiveTimesAfterAWarmUp) {
  unsigned runs = 0;
  const Timing timing = time_repeatedly([&] { ++runs; }, 0);
  EXPECT_EQ(runs, 6U);
  EXPECT_EQ(timing.runs, 5U);
  EXPECT_LE(timing.best, timing.median);
}

TEST(Median, IsTheMiddleOne) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({5}), 5);
}

}  // namespace
}  // namespace atl
