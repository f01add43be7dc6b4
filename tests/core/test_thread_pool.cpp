#include <atomic>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "src/core/thread_pool.hpp"

namespace atl::test {
namespace {

class Pools : public testing::TestWithParam<unsigned> {};

TEST_P(Pools, RunEveryIndexOnce) {
  ThreadPool pool(GetParam());
  EXPECT_EQ(pool.threads(), GetParam());
  std::vector<int> runs(1000, 0);
  pool.wait(pool.submit(runs.size(), [&](std::size_t index, unsigned) { ++runs[index]; }));
  EXPECT_EQ(runs, std::vector<int>(1000, 1));
}

TEST_P(Pools, NeverRunTwoTasksWithOneWorkerAtOnce) {
  ThreadPool pool(GetParam());
  std::vector<std::uint64_t> sums(GetParam(), 0);  // a race here is seen by TSan
  const auto add = [&](std::size_t index, unsigned worker) { sums.at(worker) += index; };
  const auto first = pool.submit(500, add);
  const auto second = pool.submit(500, add);
  pool.wait(first);
  pool.wait(second);
  EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), std::uint64_t{0}), 2U * 499 * 500 / 2);
}

TEST_P(Pools, WaitInAnyOrder) {
  ThreadPool pool(GetParam());
  std::vector<std::atomic<int>> done(5);
  std::vector<ThreadPool::Ticket> tickets;
  for (int job = 0; job < 5; ++job) {
    tickets.push_back(pool.submit(7, [&done, job](std::size_t, unsigned) { ++done[job]; }));
  }
  for (const int job : {3, 0, 4, 1, 2}) {
    pool.wait(tickets[job]);
    EXPECT_EQ(done[job], 7);
  }
}

TEST_P(Pools, JobOfNothingIsDone) {
  ThreadPool pool(GetParam());
  pool.wait(pool.submit(0, [](std::size_t, unsigned) { FAIL(); }));
}

TEST_P(Pools, WaitThrowsWhatTheLowestFailingIndexThrew) {
  ThreadPool pool(GetParam());
  std::atomic<int> runs = 0;
  const auto ticket = pool.submit(50, [&](std::size_t index, unsigned) {
    ++runs;
    if (index == 12 || index == 40) throw std::runtime_error(std::to_string(index));
  });
  try {
    pool.wait(ticket);
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "12");
  }
  EXPECT_EQ(runs, 50);
  pool.wait(pool.submit(3, [](std::size_t, unsigned) {}));
}

TEST_P(Pools, FinishWhatWasSubmitted) {
  std::atomic<int> runs = 0;
  {
    ThreadPool pool(GetParam());
    for (int job = 0; job < 3; ++job) pool.submit(20, [&](std::size_t, unsigned) { ++runs; });
  }
  EXPECT_EQ(runs, 60);
}

TEST_P(Pools, TasksSubmitAndWait) {
  ThreadPool pool(GetParam());
  std::vector<int> sums(20, 0);
  pool.wait(pool.submit(sums.size(), [&](std::size_t index, unsigned worker) {
    std::vector<int> parts(30, 0);
    for (int round = 0; round < 10; ++round) {
      pool.wait(pool.submit(parts.size(), [&](std::size_t part, unsigned helper) {
        EXPECT_LT(helper, pool.threads());
        ++parts[part];
      }));
    }
    EXPECT_LT(worker, pool.threads());
    sums[index] = std::accumulate(parts.begin(), parts.end(), 0);
  }));
  EXPECT_EQ(sums, std::vector<int>(20, 300));
}

TEST_P(Pools, ATaskThatWaitsDoesNotBeginAnother) {
  ThreadPool pool(GetParam());
  std::vector<int> inside(GetParam(), 0);
  pool.wait(pool.submit(50, [&](std::size_t, unsigned worker) {
    EXPECT_EQ(inside[worker]++, 0);
    pool.wait(pool.submit(5, [](std::size_t, unsigned) {}));
    --inside[worker];
  }));
}

TEST_P(Pools, ATaskGetsWhatItsOwnJobThrew) {
  ThreadPool pool(GetParam());
  std::atomic<int> caught = 0;
  pool.wait(pool.submit(10, [&](std::size_t, unsigned) {
    try {
      pool.wait(pool.submit(4, [](std::size_t, unsigned) { throw std::runtime_error("part"); }));
    } catch (const std::runtime_error&) {
      ++caught;
    }
  }));
  EXPECT_EQ(caught, 10);
}

INSTANTIATE_TEST_SUITE_P(Threads, Pools, testing::Values(1U, 2U, 3U, 8U));

TEST(ThreadPool, OfOneWorksInsideWait) {
  ThreadPool pool(1);
  std::vector<std::thread::id> ran_on;
  const auto ticket =
      pool.submit(2, [&](std::size_t, unsigned) { ran_on.push_back(std::this_thread::get_id()); });
  EXPECT_TRUE(ran_on.empty());
  pool.wait(ticket);
  EXPECT_EQ(ran_on, std::vector(2, std::this_thread::get_id()));
}

TEST(ThreadPool, WorksWhileNobodyWaits) {
  ThreadPool pool(2);
  std::atomic<bool> ran = false;
  const auto ticket = pool.submit(1, [&](std::size_t, unsigned worker) {
    EXPECT_EQ(worker, 1U);
    ran = true;
    ran.notify_all();
  });
  ran.wait(false);
  pool.wait(ticket);
}

TEST(ThreadPool, WaitWorksOnLaterJobsWhileAnotherThreadEndsTheFirst) {
  ThreadPool pool(2);
  std::atomic<bool> taken = false;
  std::atomic<bool> later_ran = false;
  const auto first = pool.submit(1, [&](std::size_t, unsigned worker) {
    EXPECT_EQ(worker, 1U);
    taken = true;
    taken.notify_all();
    later_ran.wait(false);  // forever, if the one that waits is idle
  });
  taken.wait(false);
  const auto later = pool.submit(1, [&](std::size_t, unsigned worker) {
    EXPECT_EQ(worker, 0U);
    later_ran = true;
    later_ran.notify_all();
  });
  pool.wait(first);
  EXPECT_TRUE(later_ran);
  pool.wait(later);
}

TEST(ThreadPool, ThereIsACpu) {
  EXPECT_GE(available_cpus(), 1U);
}

}  // namespace
}  // namespace atl::test
