#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "islands/archipelago/team_sums.hpp"
#include "src/core/reducer.hpp"
#include "tests/islands/archipelago/thread_communicator.hpp"

namespace atl::test {
namespace {

constexpr std::uint64_t generations = 6;

/// Some islands have more to add up than others, and some nothing.
std::size_t count_of(std::size_t island, std::uint64_t generation) {
  return (island + generation) % 4;
}

std::uint64_t number_of(int member, std::size_t island, std::uint64_t generation, std::size_t i) {
  return (std::uint64_t{1} << 62) + static_cast<std::uint64_t>(member) * 1'000'003 +
         island * 10'007 + generation * 101 + i;
}

/// The islands of one member and the thread that has them: one that has its sums hands in those of
/// its next generation.
class TeamMember {
 public:
  struct Habits {
    std::function<std::size_t(std::size_t waiting)> choose;  ///< which of those goes on next
    std::chrono::microseconds each{0};                       ///< it takes so long
    std::chrono::milliseconds late{0};                       ///< it begins
  };

  TeamMember(Communicator& communicator, std::size_t islands, Habits habits)
      : member_(communicator.rank()),
        members_(communicator.size()),
        habits_(std::move(habits)),
        reducer_(communicator),
        sums_(reducer_, islands, 1),
        islands_(islands) {
    sums_.tell([this](std::size_t island) { tell(island); }, [this] { call(); });
    for (std::size_t island = 0; island < islands; ++island) waiting_.push_back(island);
  }

  /// Until all have all their sums. @return were they those of the team?
  bool run() {
    std::thread thread([this] { go_on(); });
    while (true) {
      {
        std::unique_lock lock(mutex_);
        if (done_ == islands_.size()) break;
        changed_.wait_for(lock, std::chrono::microseconds(sums_.busy() ? 20 : 500));
      }
      sums_.poll();
    }
    thread.join();
    EXPECT_FALSE(sums_.busy());
    return right_;
  }

 private:
  struct Its {
    std::uint64_t generation = 0;
    std::vector<std::uint64_t> numbers;
    bool handed_in = false;
  };

  void tell(std::size_t island) {
    const std::scoped_lock lock(mutex_);
    waiting_.push_back(island);
    changed_.notify_all();
  }
  void call() {
    const std::scoped_lock lock(mutex_);
    changed_.notify_all();
  }

  void go_on() {
    std::this_thread::sleep_for(habits_.late);
    while (const auto island = next()) {
      std::this_thread::sleep_for(habits_.each);
      advance(*island);
    }
  }

  std::optional<std::size_t> next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !waiting_.empty() || done_ == islands_.size(); });
    if (waiting_.empty()) return std::nullopt;
    const auto at = static_cast<std::ptrdiff_t>(habits_.choose(waiting_.size()));
    const std::size_t island = waiting_[static_cast<std::size_t>(at)];
    waiting_.erase(waiting_.begin() + at);
    return island;
  }

  void advance(std::size_t island) {
    Its& its = islands_[island];
    if (its.handed_in) expect_sums(island, its);
    if (its.handed_in && ++its.generation == generations) {
      const std::scoped_lock lock(mutex_);
      ++done_;
      changed_.notify_all();
      return;
    }
    its.handed_in = true;
    its.numbers.clear();
    for (std::size_t i = 0; i < count_of(island, its.generation); ++i) {
      its.numbers.push_back(number_of(member_, island, its.generation, i));
    }
    sums_.hand_in(island, its.numbers);
  }

  void expect_sums(std::size_t island, const Its& its) {
    for (std::size_t i = 0; i < its.numbers.size(); ++i) {
      std::uint64_t expected = 0;
      for (int m = 0; m < members_; ++m) expected += number_of(m, island, its.generation, i);
      right_ = right_ && its.numbers[i] == expected;
    }
  }

  const int member_, members_;
  const Habits habits_;
  MessageReducer reducer_;
  TeamSums sums_;
  std::vector<Its> islands_;
  bool right_ = true;  // of the thread that has the islands, until it has ended

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::size_t> waiting_;  // islands that can go on
  std::size_t done_ = 0;
};

/// Each member prefers others of those that can go on.
TeamMember::Habits habits_of(int member) {
  switch (member % 3) {
    case 0:
      return {[](std::size_t) { return std::size_t{0}; }};
    case 1:
      return {[](std::size_t waiting) { return waiting - 1; }};
    default:
      return {[](std::size_t waiting) { return waiting / 2; }};
  }
}

void expect_right(int members, std::size_t islands,
                  const std::function<TeamMember::Habits(int member)>& habits) {
  run_ranks(members, [&](Communicator& communicator) {
    TeamMember member(communicator, islands, habits(communicator.rank()));
    EXPECT_TRUE(member.run()) << members << " members, " << islands << " islands";
  });
}

TEST(TeamSums, AreThoseOfTheMembersInWhicheverOrderTheirIslandsCome) {
  for (const int members : {1, 2, 3, 4}) {
    for (const std::size_t islands : {1U, 2U, 3U, 4U, 5U, 9U, 17U}) {
      expect_right(members, islands, habits_of);
    }
  }
}

TEST(TeamSums, WaitForASlowMember) {
  for (const int slow : {0, 2}) {
    expect_right(3, 6, [&](int member) {
      TeamMember::Habits habits = habits_of(member);
      if (member == slow) habits.each = std::chrono::microseconds(300);
      return habits;
    });
  }
}

TEST(TeamSums, WaitForAMemberWhoseIslandsAreLate) {
  for (const int late : {0, 1}) {
    expect_right(2, 5, [&](int member) {
      TeamMember::Habits habits = habits_of(member);
      if (member == late) habits.late = std::chrono::milliseconds(20);
      return habits;
    });
  }
}

TEST(TeamSums, AGroupIsAddedUpOnceAllOfItAndOfThoseBeforeItAreThere) {
  LocalCommunicator communicator;
  MessageReducer reducer(communicator);
  TeamSums sums(reducer, 5, 1);  // in groups of two, two and one
  std::vector<std::size_t> told;
  int calls = 0;
  sums.tell([&](std::size_t island) { told.push_back(island); }, [&] { ++calls; });
  std::vector<std::uint64_t> numbers(5, 7);
  const auto hand_in = [&](std::size_t island) {
    sums.hand_in(island, std::span(numbers).subspan(island, 1));
  };
  const auto expect = [&](int expected_calls, bool busy, const std::vector<std::size_t>& islands) {
    EXPECT_EQ(calls, expected_calls);
    EXPECT_EQ(sums.busy(), busy);
    EXPECT_EQ(told, islands);
  };
  for (const std::size_t island : {4U, 3U, 2U, 1U}) hand_in(island);
  sums.poll();
  expect(0, false, {});
  hand_in(0);
  expect(1, true, {});
  sums.poll();  // the first group is on its way
  expect(1, true, {});
  sums.poll();
  expect(1, true, {0, 1});
  hand_in(1);  // of the next generation
  sums.poll();
  expect(1, true, {0, 1, 2, 3});
  sums.poll();
  expect(1, false, {0, 1, 2, 3, 4});
  hand_in(0);
  expect(2, true, {0, 1, 2, 3, 4});
  sums.poll();
  sums.poll();
  expect(2, false, {0, 1, 2, 3, 4, 0, 1});
}

// Of islands with so many rules that a sum of one is large enough.
TEST(TeamSums, OfManyRulesWaitForFewIslands) {
  for (const auto& [rules, together] : {std::pair{2048U, 1U}, {1024U, 2U}, {200U, 4U}}) {
    LocalCommunicator communicator;
    MessageReducer reducer(communicator);
    TeamSums sums(reducer, 16, rules);
    std::vector<std::uint64_t> numbers(16, 7);
    for (std::size_t island = 0; island < together; ++island) {
      EXPECT_FALSE(sums.busy()) << rules;
      sums.hand_in(island, std::span(numbers).subspan(island, 1));
    }
    EXPECT_TRUE(sums.busy()) << rules;
  }
}

}  // namespace
}  // namespace atl::test
