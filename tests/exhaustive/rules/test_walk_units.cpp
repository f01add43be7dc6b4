#include <algorithm>
#include <optional>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "src/exhaustive/rules/enumerate.hpp"
#include "src/exhaustive/rules/walk_units.hpp"
#include "tests/exhaustive/rules/small_table.hpp"

namespace atl::test {

TEST(WalkUnits, HandOutOneItemAfterTheOther) {
  WalkUnits units({{{}, 3, 5}, {{1}, 7, 8}});
  units.join();
  EXPECT_EQ(units.take(), (WalkRange{{}, 3, 4}));
  EXPECT_FALSE(units.is_wanted());  // nobody waits
}

TEST(WalkUnits, AThreadThatWaitsGetsWhatAnotherOneGives) {
  WalkUnits units({{{}, 0, 1}});
  units.join();
  units.join();
  ASSERT_EQ(units.take(), (WalkRange{{}, 0, 1}));
  std::vector<WalkRange> own, taken;
  const auto take_all = [&](std::vector<WalkRange>& all) {
    while (auto unit = units.take()) all.push_back(*unit);
  };
  std::thread other([&] { take_all(taken); });
  while (!units.is_wanted()) std::this_thread::yield();
  units.give({{0}, 4, 6});
  take_all(own);  // waits until the other one has done its part
  other.join();
  own.insert(own.end(), taken.begin(), taken.end());
  std::ranges::sort(own, {}, &WalkRange::first);
  EXPECT_EQ(own, (std::vector<WalkRange>{{{0}, 4, 5}, {{0}, 5, 6}}));
}

TEST(WalkUnits, NobodyGetsAnythingOnceOneHasFailed) {
  WalkUnits units({{{}, 0, 9}});
  units.join();
  units.give_up();
  EXPECT_EQ(units.take(), std::nullopt);
}

/// All below the first item of a table, on threads that have to share it.
TEST(Walk, FindsAndCountsTheSameOnManyThreads) {
  RandomStream draw({7, 0, 0, 0, Purpose::test});
  std::vector<std::vector<std::uint32_t>> columns(9, std::vector<std::uint32_t>(2000));
  for (auto& column : columns) {
    for (std::uint32_t& code : column) code = static_cast<std::uint32_t>(draw.below(3));
  }
  const Items items(table_of_labels(columns));
  const RuleLimits limits;
  const WalkedLength length{4, 1};
  const auto walked = [&](unsigned threads) {
    ThreadPool pool(threads);
    LocalCommunicator alone;
    const WalkedSpace space(items, limits, pool, alone);
    const AntecedentCounts counts(items, length.antecedent);
    const WalkRange first{{}, 0, 1};
    WalkProgress progress{counts, counts.of(first)};
    WalkFindings found = walk(space, length, {first}, pool, {}, &progress);
    EXPECT_NEAR(progress.left, 0, 1e-6);
    std::ranges::sort(found.rules, {}, &CountedRule::rule);
    return found;
  };
  const WalkFindings expected = walked(1);
  EXPECT_GT(expected.rules.size(), 100U);
  const WalkFindings found = walked(4);
  EXPECT_EQ(found.evaluated, expected.evaluated);
  EXPECT_EQ(found.counted, expected.counted);
  ASSERT_EQ(found.rules.size(), expected.rules.size());
  for (std::size_t i = 0; i < found.rules.size(); ++i) {
    EXPECT_EQ(found.rules[i].rule, expected.rules[i].rule);
  }
}

}  // namespace atl::test
