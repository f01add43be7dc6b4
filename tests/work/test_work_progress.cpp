#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

#include "src/work/work_progress.hpp"

namespace atl {
namespace {

TEST(WorkProgress, TellsNoTimeBeforeItKnows) {
  WorkProgress progress(40, "items");
  EXPECT_EQ(progress.line(), "0 of 40 items done, 0 s");
  progress.note(1, 40);
  progress.note(2, 39);
  EXPECT_EQ(progress.line(), "1 of 40 items done, 2 s");
  EXPECT_FALSE(progress.seconds_left());
}

TEST(WorkProgress, ItemsThatTakeTheSameAreTheLeast) {
  WorkProgress progress(100, "items");
  for (int second = 1; second <= 20; ++second) {
    progress.note(second, 100 - 2 * static_cast<std::uint64_t>(second));
  }
  const auto left = progress.seconds_left();
  ASSERT_TRUE(left);
  EXPECT_NEAR(left->least, 30, 1e-9);
  EXPECT_GT(left->most, 30);
  EXPECT_EQ(progress.line().substr(0, 33), "40 of 100 items done, 20 s, 30 s ");
}

TEST(WorkProgress, ItemsThatGetSlowerAreTheMost) {
  WorkProgress progress(40, "items");  // each takes 2^(1/4) times as long as the one before
  for (std::uint64_t done = 0; done <= 24; ++done) {
    progress.note(std::exp2(static_cast<double>(done) / 4), 40 - done);
  }
  const auto left = progress.seconds_left();
  ASSERT_TRUE(left);
  EXPECT_NEAR(left->most, std::exp2(10) - std::exp2(6), 1e-6);  // as it will come
  EXPECT_LT(left->least, left->most);
}

TEST(WorkProgress, AnEstimateFarBeyondWhatWasSeenIsNone) {
  WorkProgress progress(1000, "items");
  for (std::uint64_t done = 0; done <= 24; ++done) {
    progress.note(std::exp2(static_cast<double>(done) / 4), 1000 - done);
  }
  EXPECT_FALSE(progress.seconds_left());
}

TEST(WorkProgress, ItemsAreNeverUndone) {
  WorkProgress progress(10, "items");
  progress.note(1, 4);
  progress.note(2, 7);  // parts of an item count as one each
  EXPECT_EQ(progress.line(), "6 of 10 items done, 2 s");
  progress.note(3, 12);
  EXPECT_EQ(progress.line(), "6 of 10 items done, 3 s");
}

}  // namespace
}  // namespace atl
