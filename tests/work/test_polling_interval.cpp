#include <limits>

#include <gtest/gtest.h>

#include "src/work/polling_interval.hpp"

namespace atl {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
using std::chrono::milliseconds;

class PaceTest : public testing::Test {
 protected:
  PollingInterval polling_;
  PollingInterval::Clock::time_point start_ = PollingInterval::Clock::now();
};

TEST_F(PaceTest, OneGenerationAtFirst) {
  EXPECT_EQ(polling_.next(7, never, start_), 1U);
  polling_.go_on(7, start_);
  EXPECT_EQ(polling_.next(7, never, start_ + milliseconds(1)), 1U);
}

TEST_F(PaceTest, AsManyAsFitBetweenTwoLooksButTwiceAsManyAtMost) {
  polling_.go_on(7, start_);
  EXPECT_EQ(polling_.next(8, never, start_ + milliseconds(10)), 2U);
  EXPECT_EQ(polling_.next(15, never, start_ + milliseconds(80)), 16U);
  EXPECT_EQ(polling_.next(17, never, start_ + milliseconds(100)), 20U);
  EXPECT_EQ(polling_.next(27, never, start_ + milliseconds(400)), 10U);
  EXPECT_EQ(polling_.next(8, never, start_ + milliseconds(900)), 1U);
}

TEST_F(PaceTest, NoMoreThanUntilSomethingIsDue) {
  polling_.go_on(0, start_);
  const auto now = start_ + milliseconds(200);
  EXPECT_EQ(polling_.next(20, 0.05, now), 5U);
  EXPECT_EQ(polling_.next(20, 0, now), 1U);
  EXPECT_EQ(polling_.next(20, -3, now), 1U);
}

TEST_F(PaceTest, AClockThatStandsStillTellsNothing) {
  polling_.go_on(0, start_);
  EXPECT_EQ(polling_.next(20, never, start_), 1U);
}

}  // namespace
}  // namespace atl
