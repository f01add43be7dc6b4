// Archipelagos whose ranks form teams: nobody can tell from what they find.
#include <algorithm>
#include <chrono>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "islands/archipelago/run_sections.hpp"
#include "tests/islands/archipelago/team_archipelago.hpp"
#include "tests/islands/archipelago/thread_communicator.hpp"

namespace atl::test {
namespace {

constexpr std::uint32_t last_generation = 7;

/// Ranks, of which so many form a team.
struct TeamsOf {
  int ranks, size;
};

/// Of a preset, the parameter.
class TeamArchipelago : public testing::TestWithParam<std::string> {
 protected:
  /// The state of each lane, the first one first.
  std::vector<Bytes> states(int ranks, const TeamSetting& setting, std::uint32_t at_once) {
    std::vector<Bytes> all(static_cast<std::size_t>(setting.size));
    run_ranks(ranks, [&](Communicator& communicator) {
      TeamRank rank(experiment_, communicator, setting);
      Archipelago& archipelago = rank.archipelago();
      note_held(rank.dataset().rows_held());
      archipelago.advance(0);
      while (archipelago.generation() < last_generation) {
        archipelago.advance(std::min(archipelago.generation() + at_once, last_generation));
      }
      const auto state = archipelago.whole_state();
      EXPECT_EQ(state.has_value(), rank.leads_lane());
      if (state) all[static_cast<std::size_t>(rank.member())] = encode(*state);
    });
    return all;
  }

  Bytes alone() { return states(1, {}, last_generation).front(); }

  void expect_same(const Bytes& expected, const TeamsOf& teams, const TeamSetting& setting,
                   std::uint32_t at_once = last_generation) {
    TeamSetting of = setting;
    of.size = teams.size;
    for (const Bytes& state : states(teams.ranks, of, at_once)) {
      EXPECT_EQ(state, expected) << teams.ranks << " ranks, teams of " << teams.size << ", split "
                                 << static_cast<int>(of.split) << ", " << of.threads << " threads";
    }
  }

  Experiment experiment_ = small_experiment(GetParam());
  std::uint64_t least_held_ = team_rows;  // rows, by a rank

 private:
  void note_held(std::uint64_t rows) {
    const std::scoped_lock lock(mutex_);
    least_held_ = std::min(least_held_, rows);
  }

  std::mutex mutex_;
};

INSTANTIATE_TEST_SUITE_P(Presets, TeamArchipelago, testing::Values("niching", "g3parm"),
                         [](const auto& test) { return test.param; });

}  // namespace

TEST_P(TeamArchipelago, GivesTheStateOfOneRankOnAnyNumberOfRanksAndThreads) {
  const Bytes expected = alone();
  for (const TeamsOf& teams : {TeamsOf{2, 2}, {4, 2}, {4, 4}, {6, 3}}) {
    for (const TeamSplit split : {TeamSplit::rows, TeamSplit::rules}) {
      for (const unsigned threads : {1U, 3U}) {
        expect_same(expected, teams, {.split = split, .threads = threads});
      }
    }
  }
}

TEST_P(TeamArchipelago, StopsAtAnyGenerationOnItsWay) {
  const Bytes expected = alone();
  for (const std::uint32_t at_once : {1U, 2U, 5U}) {
    expect_same(expected, {4, 2}, {.split = TeamSplit::rows}, at_once);
  }
}

// So islands are there for their sums in another order on each member.
TEST_P(TeamArchipelago, GivesTheSameStateIfOtherIslandsAreSlowOnEachMember) {
  experiment_.islands = 6;
  const Bytes expected = alone();
  const TeamSetting::At delay = [](int rank, int island) {
    const int part = (rank % 2 == 0 ? island : 5 - island) + rank;
    std::this_thread::sleep_for(std::chrono::microseconds(part % 6 * 300));
  };
  for (const TeamsOf& teams : {TeamsOf{2, 2}, {4, 2}, {3, 3}}) {
    for (const unsigned threads : {1U, 3U}) {
      TeamSetting setting{.split = TeamSplit::rules, .threads = threads};
      setting.on_finish = delay;
      expect_same(expected, teams, setting);
    }
  }
}

TEST_P(TeamArchipelago, OneThreadHasManyIslands) {
  experiment_.islands = 13;
  experiment_.migrate_every = 1;
  experiment_.population = 12;
  const Bytes expected = alone();
  for (const TeamsOf& teams : {TeamsOf{2, 2}, {6, 2}, {3, 3}}) {
    expect_same(expected, teams, {.split = TeamSplit::rules, .threads = 1});
    expect_same(expected, teams, {.split = TeamSplit::rows, .threads = 1});
  }
}

// Where a host has a part of the rows, individuals are bred by the same rows as elsewhere.
TEST_P(TeamArchipelago, GivesTheSameStateOnSeveralHosts) {
  const Bytes expected = alone();
  expect_same(expected, {2, 2}, {.split = TeamSplit::rows, .hosts = 2});
  EXPECT_EQ(least_held_, team_rows - 4096);
  expect_same(expected, {4, 2}, {.split = TeamSplit::rows, .threads = 3, .hosts = 3});
  expect_same(expected, {6, 6}, {.split = TeamSplit::rows, .hosts = 6});
  EXPECT_EQ(least_held_, 0U) << "by a member that has none to count";
}

TEST_P(TeamArchipelago, OneIslandIsEnough) {
  experiment_.islands = 1;
  const Bytes expected = alone();
  expect_same(expected, {2, 2}, {.split = TeamSplit::rows});
  expect_same(expected, {3, 3}, {.split = TeamSplit::rules});
}

}  // namespace atl::test
