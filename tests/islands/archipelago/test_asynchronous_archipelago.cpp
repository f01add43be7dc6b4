#include <atomic>
#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "tests/islands/archipelago/archipelago_runs.hpp"
#include "tests/islands/archipelago/rule_archipelago.hpp"
#include "tests/islands/hooked_resident.hpp"

namespace atl::test {
namespace {

class AsynchronousArchipelago : public ArchipelagoTest {
 protected:
  AsynchronousArchipelago() {
    experiment_.migration = Migration::asynchronous;
    experiment_.migrate_every = 1;
  }

  static void wait_for(const std::function<bool()>& condition, const std::function<void()>& work) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(10);
    while (!condition()) {
      ASSERT_LT(std::chrono::steady_clock::now(), end) << "waited in vain";
      work();
      std::this_thread::yield();
    }
  }

  static void to_the_end(Archipelago& archipelago, std::uint32_t last) {
    archipelago.start(last);
    wait_for([&] { return archipelago.stopped(); }, [&] { archipelago.poll(); });
    archipelago.stop();
    archipelago.drain();
  }

  // Keeps the first island in the generation that it is in.
  static Hook hold(const std::atomic<bool>& held) {
    return [&held](int batch) {
      while (batch == 0 && held) std::this_thread::yield();
    };
  }

  static std::uint32_t last_of(const RuleRun& state, std::uint32_t island) {
    std::uint32_t last = 0;
    for (const HistoryRow& row : state.history.kept) {
      if (row.island == island) last = row.generation;
    }
    return last;
  }
};

INSTANTIATE_TEST_SUITE_P(Presets, AsynchronousArchipelago, testing::Values("niching", "g3parm"),
                         [](const auto& test) { return test.param; });

TEST_P(AsynchronousArchipelago, EveryIslandComesToTheEnd) {
  for (const int ranks : {1, 3}) {
    for (const unsigned threads : {1U, 3U}) {
      std::optional<RuleRun> result;
      run_ranks(ranks, [&](Communicator& communicator) {
        ThreadPool pool(threads);
        const auto resident = make_cpu_device(pool)->load(dataset_);
        RuleArchipelago archipelago(experiment_, grammar_, *resident, pool, communicator);
        archipelago.advance(0);
        to_the_end(archipelago, 9);
        EXPECT_EQ(archipelago.generation(), 9U);
        if (auto state = archipelago.whole_state()) result = open_run(*state, grammar_);
      });
      EXPECT_EQ(result->header.generation, 9U);
      EXPECT_EQ(result->history.kept.size(), 4U * 10);
      const auto resident = make_reference_device()->load(dataset_);
      for (const IslandState& island : result->islands) {
        EXPECT_EQ(island.population.size(), 30U);
        std::vector<Rule> rules;
        for (const Individual& individual : island.population) rules.push_back(individual.rule);
        EXPECT_TRUE(distinct_rules(rules));
        const auto counts = resident->count(rules, {});
        for (std::size_t i = 0; i < rules.size(); ++i) {
          EXPECT_EQ(counts[i].table.n_both, island.population[i].statistics.table.n_both);
        }
      }
    }
  }
}

TEST_P(AsynchronousArchipelago, ASlowIslandHoldsNobodyUp) {
  std::atomic<bool> held = false;
  ThreadPool pool(2);
  HookedResident resident(make_cpu_device(pool)->load(dataset_), nullptr, hold(held));
  LocalCommunicator communicator;
  RuleArchipelago archipelago(experiment_, grammar_, resident, pool, communicator);
  archipelago.advance(0);
  const auto evaluated = [&] { return archipelago.progress().evaluated; };
  const std::uint64_t first = evaluated();
  held = true;
  archipelago.start(40);
  // The others evaluate 30 rules a generation at most.
  wait_for([&] { return evaluated() > first + std::uint64_t{3} * 30; },
           [&] { archipelago.poll(); });
  EXPECT_EQ(archipelago.generation(), 0U);
  EXPECT_FALSE(archipelago.stopped());
  held = false;
  wait_for([&] { return archipelago.stopped(); }, [&] { archipelago.poll(); });
  archipelago.stop();
  archipelago.drain();
  EXPECT_EQ(archipelago.generation(), 40U);
}

TEST_P(AsynchronousArchipelago, IslandsStopWhereTheyAreAndGoOnFromThere) {
  std::atomic<bool> held = false;
  ThreadPool pool(2);
  HookedResident resident(make_cpu_device(pool)->load(dataset_), nullptr, hold(held));
  LocalCommunicator communicator;
  RuleArchipelago archipelago(experiment_, grammar_, resident, pool, communicator);
  archipelago.advance(0);
  const std::uint64_t first = archipelago.progress().evaluated;
  held = true;
  archipelago.start(1000);
  wait_for([&] { return archipelago.progress().evaluated > first + 100; },
           [&] { archipelago.poll(); });
  archipelago.request_stop();
  held = false;
  archipelago.stop();
  archipelago.drain();
  EXPECT_LT(archipelago.generation(), 1000U);

  // Through bytes, on two ranks, though islands have come to different generations.
  const Bytes stored = encode(*archipelago.whole_state());
  const RuleRun state = decode_rule_run(stored, grammar_);
  EXPECT_EQ(state.header.generation, archipelago.generation());
  std::uint32_t most = 0;
  for (std::uint32_t i = 0; i < 4; ++i) most = std::max(most, last_of(state, i));
  EXPECT_GT(most, state.header.generation);
  std::optional<RuleRun> result;
  run_ranks(2, [&](Communicator& ranks) {
    ThreadPool own(1);
    const auto cpu = make_cpu_device(own)->load(dataset_);
    RuleArchipelago again(experiment_, grammar_, *cpu, own, ranks);
    again.restore(close_run(state));
    to_the_end(again, most + 3);
    if (auto its = again.whole_state()) result = open_run(*its, grammar_);
  });
  for (std::uint32_t i = 0; i < 4; ++i) EXPECT_EQ(last_of(*result, i), most + 3);

  // A run whose islands wait for each other is never like that.
  experiment_.migration = Migration::synchronous;
  const auto cpu = make_cpu_device(pool)->load(dataset_);
  RuleArchipelago synchronous(experiment_, grammar_, *cpu, pool, communicator);
  EXPECT_THROW(synchronous.restore(close_run(state)), BadBytes);
}

// Without migrants nothing depends on the pace.
TEST_P(AsynchronousArchipelago, WithoutMigrationIsTheSameAsSynchronous) {
  experiment_.migrate_every = 0;
  ThreadPool pool(3);
  const auto resident = make_cpu_device(pool)->load(dataset_);
  LocalCommunicator communicator;
  RuleArchipelago archipelago(experiment_, grammar_, *resident, pool, communicator);
  archipelago.advance(0);
  to_the_end(archipelago, 7);
  const Bytes mine = encode(*archipelago.whole_state());
  EXPECT_EQ(encode(run(7)), mine);
}

std::uint64_t shared_rules(std::span<const Individual> some, std::span<const Individual> others) {
  std::uint64_t shared = 0;
  for (const Individual& a : some) {
    for (const Individual& b : others) shared += a.rule == b.rule ? 1 : 0;
  }
  return shared;
}

TEST_P(AsynchronousArchipelago, MigrantsArriveFromOtherRanks) {
  experiment_.islands = 2;
  experiment_.topology = "complete";
  const std::uint64_t wanted = GetParam() == "niching" ? 4 : 1;
  std::uint64_t shared = 0;
  run_ranks(2, [&](Communicator& communicator) {
    ThreadPool pool(1);
    const auto resident = make_cpu_device(pool)->load(dataset_);
    RuleArchipelago archipelago(experiment_, grammar_, *resident, pool, communicator);
    archipelago.advance(0);
    // When a migrant arrives is a matter of time, and so is what becomes of it.
    std::uint64_t enough = 0;
    for (std::uint32_t last = 1; last <= 200 && enough == 0; ++last) {
      to_the_end(archipelago, last);
      if (const auto state = archipelago.whole_state()) {
        const RuleRun opened = open_run(*state, grammar_);
        shared = shared_rules(opened.islands[0].population, opened.islands[1].population);
        enough = shared >= wanted ? 1 : 0;
      }
      communicator.all_reduce_sum({&enough, 1});
    }
  });
  EXPECT_GE(shared, wanted);
}

TEST_P(AsynchronousArchipelago, WhatAnIslandThrowsIsThrownByStop) {
  std::atomic<int> left = 9;
  ThreadPool pool(2);
  HookedResident resident(
      make_cpu_device(pool)->load(dataset_),
      [&](int) {
        if (left-- == 0) throw InternalError("one too many");
      },
      nullptr);
  LocalCommunicator communicator;
  RuleArchipelago archipelago(experiment_, grammar_, resident, pool, communicator);
  archipelago.advance(0);
  archipelago.start(1000);
  wait_for([&] { return archipelago.stopped(); }, [&] { archipelago.poll(); });
  EXPECT_THROW(archipelago.stop(), InternalError);
  EXPECT_LT(archipelago.generation(), 1000U);
}

// A job that fails elsewhere while islands go on.
TEST_P(AsynchronousArchipelago, EndsWithoutStop) {
  ThreadPool pool(2);
  const auto resident = make_cpu_device(pool)->load(dataset_);
  LocalCommunicator communicator;
  RuleArchipelago archipelago(experiment_, grammar_, *resident, pool, communicator);
  archipelago.advance(0);
  archipelago.start(1'000'000);
}

}  // namespace
}  // namespace atl::test
