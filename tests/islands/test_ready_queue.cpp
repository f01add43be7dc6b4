#include <set>

#include <gtest/gtest.h>

#include "islands/ready_queue.hpp"

namespace atl::test {
namespace {

TEST(ReadyQueue, TheFirstThatIsReadyComesFirst) {
  std::set<std::size_t> ready;
  ReadyQueue queue(4, [&](std::size_t island) { return ready.contains(island); });
  EXPECT_EQ(queue.take(), 0U) << "none is ready: who has waited longest";
  ready = {2, 3};
  EXPECT_EQ(queue.take(), 2U);
  queue.give_back(2);
  EXPECT_EQ(queue.take(), 3U);
  EXPECT_EQ(queue.take(), 2U);
  EXPECT_EQ(queue.take(), 1U);
  EXPECT_EQ(queue.take(), std::nullopt);
}

TEST(ReadyQueue, GivesNoneOutOnceEnded) {
  ReadyQueue queue(3, [](std::size_t) { return true; });
  EXPECT_EQ(queue.take(), 0U);
  queue.end();
  EXPECT_EQ(queue.take(), std::nullopt);
  queue.give_back(0);
  EXPECT_EQ(queue.take(), std::nullopt);
}

}  // namespace
}  // namespace atl::test
