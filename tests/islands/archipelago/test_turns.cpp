#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "islands/archipelago/turns.hpp"

namespace atl::test {
namespace {

bool always(std::size_t) {
  return true;
}

TEST(Turns, TheFirstThatIsReadyComesFirst) {
  ThreadPool pool(1);
  std::set<std::size_t> ready = {2};
  std::vector<std::size_t> order;
  Turns turns(
      pool, 4, [&](std::size_t island) { return ready.contains(island); },
      [&](std::size_t island) {
        order.push_back(island);
        ready = {3};
        return order.size() == 1 ? TurnEnd::again : TurnEnd::over;
      });
  turns.run();
  EXPECT_EQ(order, (std::vector<std::size_t>{2, 3, 0, 1, 2})) << "then who has waited longest";
}

TEST(Turns, OfThoseThatAreReadyWhomOthersWaitForComesFirst) {
  ThreadPool pool(1);
  std::vector<std::size_t> order;
  Turns turns(
      pool, 5, [&](std::size_t island) { return island != 4; },
      [&](std::size_t island) {
        order.push_back(island);
        return order.size() == 1 ? TurnEnd::again : TurnEnd::over;
      },
      [](std::size_t a, std::size_t b) { return a > b; });
  turns.run();
  EXPECT_EQ(order, (std::vector<std::size_t>{3, 3, 2, 1, 0, 4}));
}

TEST(Turns, EachGetsAsManyAsItWantsAndNeverTwoAtOnce) {
  for (const unsigned threads : {1U, 2U, 4U}) {
    ThreadPool pool(threads);
    std::vector<int> left(7, 200);
    std::vector<std::atomic<int>> inside(7);
    Turns turns(pool, 7, always, [&](std::size_t island) {
      EXPECT_EQ(++inside[island], 1);
      const bool again = --left[island] > 0;
      --inside[island];
      return again ? TurnEnd::again : TurnEnd::over;
    });
    turns.run();
    EXPECT_EQ(left, std::vector<int>(7, 0)) << threads;
  }
}

// A relay: each is woken by the one before it, inside the pool or from another thread.
TEST(Turns, WhoSleepsIsWoken) {
  for (const unsigned threads : {1U, 3U}) {
    ThreadPool pool(threads);
    constexpr std::size_t islands = 5;
    constexpr int rounds = 50;
    std::mutex mutex;
    std::vector<int> tokens(islands, 0);
    std::vector<char> asleep(islands, 0);
    std::vector<int> rounds_of(islands, 0);
    Turns* all = nullptr;
    const auto give = [&](std::size_t island) {
      bool wake = false;
      {
        const std::scoped_lock lock(mutex);
        ++tokens[island];
        wake = std::exchange(asleep[island], 0) != 0;
      }
      if (wake) all->wake(island);
    };
    const auto take = [&](std::size_t island) {
      const std::scoped_lock lock(mutex);
      if (tokens[island] > 0) return --tokens[island], true;
      asleep[island] = 1;
      return false;
    };
    Turns turns(pool, islands, always, [&](std::size_t island) {
      all->fall_asleep();
      if (!take(island)) return TurnEnd::sleeps;
      all->stay_awake();
      if (island + 1 < islands) give(island + 1);
      return ++rounds_of[island] == rounds ? TurnEnd::over : TurnEnd::again;
    });
    all = &turns;
    std::thread other([&] {
      for (int i = 0; i < rounds; ++i) give(0);
    });
    turns.run();
    other.join();
    EXPECT_EQ(rounds_of, std::vector<int>(islands, rounds)) << threads;
  }
}

TEST(Turns, NobodyIsWaitedForOnceTheyEnd) {
  for (const unsigned threads : {1U, 2U}) {
    ThreadPool pool(threads);
    std::atomic<int> asleep = 0;
    Turns* all = nullptr;
    Turns turns(pool, 3, always, [&](std::size_t) {
      all->fall_asleep();
      ++asleep;
      return TurnEnd::sleeps;
    });
    all = &turns;
    std::thread other([&] {
      while (asleep < 3) std::this_thread::yield();
      turns.end();
    });
    turns.run();
    other.join();
    turns.wake(1);
    EXPECT_EQ(asleep, 3);
  }
}

TEST(Turns, AFailureEndsThem) {
  ThreadPool pool(2);
  std::atomic<int> taken = 0;
  Turns turns(pool, 4, always, [&](std::size_t island) -> TurnEnd {
    if (island == 3) throw std::runtime_error("island 3");
    ++taken;
    return TurnEnd::again;
  });
  EXPECT_THROW(turns.run(), std::runtime_error);
  EXPECT_GE(taken, 1);
}

}  // namespace
}  // namespace atl::test
