#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "islands/archipelago/archipelago.hpp"
#include "islands/archipelago/run_sections.hpp"
#include "src/core/error.hpp"
#include "src/run/pace/looks.hpp"
#include "tests/islands/archipelago/number_islands.hpp"
#include "tests/islands/archipelago/thread_communicator.hpp"

namespace atl::test {
namespace {

constexpr std::uint32_t stop_voted_for = 20;

/// What the ranks of a job agree on, look by look.
class Looking : public testing::Test {
 protected:
  /// Votes of rank 0: two generations from look to look, then to stop.
  static JobVotes vote(int rank, std::uint32_t at) {
    JobVotes votes;
    if (rank != 0) return votes;
    votes.next_look = at + 2;
    votes.reason = at >= stop_voted_for ? static_cast<std::uint64_t>(StopReason::stop_after) : 0;
    return votes;
  }

  /// Until the stop. The generations of the looks at which a rank acted are kept, by rank.
  /// @param act  beside that
  void look(Communicator& ranks, const NumberIsland::Hook& hook,
            const std::function<void(int rank, std::uint32_t generation)>& act) {
    ThreadPool pool(1);
    NumberSearch search(1, hook);
    Archipelago archipelago(experiment_, search, {}, pool, ranks);
    archipelago.advance(0);
    Looks looks(archipelago, ranks, [] {});
    const int rank = ranks.rank();
    const Looks::Steps steps{
        [](const JobVotes& votes) { return votes.stop_reason() != StopReason::none; },
        [&](const JobVotes&) {
          const std::uint32_t generation = archipelago.generation();
          {
            const std::scoped_lock lock(mutex_);
            acted_[static_cast<std::size_t>(rank)].push_back(generation);
          }
          act(rank, generation);
        },
        [&](std::uint32_t at) { return vote(rank, at); }};
    for (;;) {
      const JobVotes votes = looks.look(steps);
      if (votes.failed != 0 || steps.ends(votes)) break;
      looks.go_on(static_cast<std::uint32_t>(votes.next_look));
    }
    looks.end();
    const auto state = archipelago.whole_state();
    if (state) state_ = encode(*state);
  }

  std::string failure_of(int ranks, const NumberIsland::Hook& hook,
                         const std::function<void(int, std::uint32_t)>& act) {
    acted_.assign(static_cast<std::size_t>(ranks), {});
    std::vector<std::string> said(static_cast<std::size_t>(ranks));
    run_ranks(ranks, [&](Communicator& communicator) {
      try {
        look(communicator, hook, act);
      } catch (const AgreedError& error) {
        said[static_cast<std::size_t>(communicator.rank())] = error.what();
      }
    });
    EXPECT_EQ(std::vector<std::string>(said.size(), said.front()), said) << "not all alike";
    return said.front();
  }

  static void none(std::uint32_t, std::uint32_t) {}
  static void nothing(int, std::uint32_t) {}

  Experiment experiment_ = number_experiment();
  std::mutex mutex_;
  std::vector<std::vector<std::uint32_t>> acted_;  // [rank]
  Bytes state_;
};

TEST_F(Looking, AllRanksActAtTheSameGenerationsHoweverSlowOneIs) {
  for (const int ranks : {1, 2, 3, 5}) {
    for (const std::uint32_t slow : {5U, 0U, 4U}) {  // none, the first, the last
      EXPECT_EQ(failure_of(
                    ranks,
                    [&](std::uint32_t island, std::uint32_t) {
                      if (island != slow) return;
                      std::this_thread::sleep_for(std::chrono::milliseconds(2));
                    },
                    nothing),
                "");
      // Several ranks know nothing at the first look, and take the next generation.
      std::vector<std::uint32_t> expected = {0};
      for (std::uint32_t at = ranks == 1 ? 2 : 1; at < stop_voted_for; at += 2) {
        expected.push_back(at);
      }
      for (const auto& acted : acted_) EXPECT_EQ(acted, expected) << ranks << " ranks";
    }
  }
}

TEST_F(Looking, TheStateIsTheSameOnAnyNumberOfRanks) {
  std::optional<Bytes> expected;
  for (const int ranks : {2, 3, 5}) {
    EXPECT_EQ(failure_of(ranks, none, nothing), "");
    if (!expected) expected = state_;
    EXPECT_EQ(state_, *expected) << ranks;
  }
}

TEST_F(Looking, AnIslandThatFailsEndsAllRanks) {
  for (const std::uint32_t island : {0U, 3U}) {
    for (const std::uint32_t generation : {1U, 4U, 9U, 19U}) {
      const auto fails = [&](std::uint32_t its, std::uint32_t at) {
        if (its == island && at == generation) {
          throw BackendUnavailable("cuda", "it does not answer");
        }
      };
      const std::string said = failure_of(3, fails, nothing);
      EXPECT_TRUE(said.starts_with(island == 0 ? "rank 0: " : "rank 1: ")) << said;
    }
  }
}

TEST_F(Looking, WhatFailsOnRank0ForAllHasNoNumber) {
  for (const std::uint32_t generation : {0U, 3U, 11U}) {
    const auto fails = [&](int rank, std::uint32_t at) {
      if (rank == 0 && at == generation) throw CannotCreate("run", "is gone");
    };
    EXPECT_EQ(failure_of(4, none, fails), "run: is gone");
  }
}

TEST_F(Looking, TheFirstOfSeveralThatFailIsTold) {
  const auto fails = [](std::uint32_t island, std::uint32_t at) {
    if (at == 7 && island > 1) throw IoError("island", std::to_string(island));
  };
  const std::string said = failure_of(5, fails, nothing);
  EXPECT_TRUE(said.starts_with("rank ")) << said;
}

}  // namespace
}  // namespace atl::test
