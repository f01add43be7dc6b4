// What fails on one member of a team ends the job on all ranks alike.
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "src/core/error.hpp"
#include "src/run/pace/looks.hpp"
#include "tests/islands/archipelago/number_islands.hpp"
#include "tests/islands/archipelago/team_archipelago.hpp"
#include "tests/islands/archipelago/thread_communicator.hpp"

namespace atl::test {
namespace {

constexpr std::uint32_t last_look = 8;

/// From look to look until the last, or a failure.
void look(Archipelago& archipelago, Communicator& ranks) {
  Looks looks(archipelago, ranks, [] {});
  const bool is_root = ranks.rank() == 0;
  const Looks::Steps steps{
      [](const JobVotes& votes) { return votes.stop_reason() != StopReason::none; },
      [](const JobVotes&) {},
      [&](std::uint32_t at) {
        JobVotes votes;
        if (!is_root) return votes;
        votes.next_look = at + 1;
        votes.reason = at >= last_look ? static_cast<std::uint64_t>(StopReason::stop_after) : 0;
        return votes;
      }};
  looks.go_on(0);
  looks.end();
  for (;;) {
    const JobVotes votes = looks.look(steps);
    if (votes.failed != 0 || steps.ends(votes)) break;
    looks.go_on(static_cast<std::uint32_t>(votes.next_look));
  }
  looks.end();
}

/// What all ranks have thrown; empty if they have come to the last look.
std::string failure_of(int ranks, const std::function<void(Communicator&)>& work) {
  std::vector<std::string> said(static_cast<std::size_t>(ranks));
  run_ranks(ranks, [&](Communicator& communicator) {
    try {
      work(communicator);
    } catch (const AgreedError& error) {
      said[static_cast<std::size_t>(communicator.rank())] = error.what();
    }
  });
  EXPECT_EQ(std::vector<std::string>(said.size(), said.front()), said) << "not all alike";
  return said.front();
}

/// The device of a rank fails at a batch.
void expect_end(int ranks, TeamSetting setting, int fails, int batch) {
  SCOPED_TRACE(testing::Message() << ranks << " ranks, teams of " << setting.size << ", rank "
                                  << fails << " at batch " << batch);
  std::atomic<int> left = batch;
  setting.on_finish = [&](int rank, int) {
    if (rank == fails && --left == 0) throw BackendUnavailable("cuda", "it is lost");
  };
  const Experiment experiment = small_experiment("niching");
  const std::string said = failure_of(ranks, [&](Communicator& communicator) {
    TeamRank rank(experiment, communicator, setting);
    look(rank.archipelago(), communicator);
  });
  EXPECT_TRUE(said.starts_with("rank " + std::to_string(fails) + ": ")) << said;
  EXPECT_NE(said.find("it is lost"), std::string::npos) << said;
}

TEST(LooksOfTeams, ADeviceThatFailsOnOneMemberEndsAllRanks) {
  for (const TeamSplit split : {TeamSplit::rows, TeamSplit::rules}) {
    for (const auto& [ranks, size] : {std::pair{2, 2}, {4, 2}, {6, 3}}) {
      for (const int batch : {1, 2, 7}) {
        const TeamSetting setting{.size = size, .split = split};
        for (const int fails : {0, 1, ranks - 1}) expect_end(ranks, setting, fails, batch);
      }
    }
  }
}

TEST(LooksOfTeams, WhatAddsUpAndFailsOnOneMemberEndsAllRanks) {
  const Experiment experiment = small_experiment("niching");
  for (const int fails : {0, 1, 3}) {
    for (const int sum : {1, 5, 16}) {  // two in a generation
      SCOPED_TRACE(testing::Message() << "rank " << fails << " at sum " << sum);
      std::atomic<int> left = sum;
      TeamSetting setting{.size = 2};
      setting.on_sum = [&](int rank) {
        if (rank == fails && --left == 0) throw BackendUnavailable("cuda", "it adds no more");
      };
      const std::string said = failure_of(4, [&](Communicator& communicator) {
        TeamRank rank(experiment, communicator, setting);
        look(rank.archipelago(), communicator);
      });
      EXPECT_TRUE(said.starts_with("rank " + std::to_string(fails) + ": ")) << said;
      EXPECT_NE(said.find("it adds no more"), std::string::npos) << said;
    }
  }
}

TEST(LooksOfTeams, WithoutAFailureAllComeToTheLast) {
  const Experiment experiment = small_experiment("niching");
  for (const auto& [ranks, size] : {std::pair{2, 2}, {4, 2}, {6, 3}}) {
    const TeamSetting setting{.size = size};
    EXPECT_EQ(failure_of(ranks,
                         [&](Communicator& communicator) {
                           TeamRank rank(experiment, communicator, setting);
                           look(rank.archipelago(), communicator);
                           EXPECT_GE(rank.archipelago().generation(), last_look);
                         }),
              "");
  }
}

}  // namespace
}  // namespace atl::test
