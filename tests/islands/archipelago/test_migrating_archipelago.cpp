#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "tests/islands/archipelago/archipelago_runs.hpp"
#include "tests/islands/archipelago/rule_archipelago.hpp"

namespace atl::test {
namespace {

class MigratingArchipelago : public ArchipelagoTest {};

INSTANTIATE_TEST_SUITE_P(Presets, MigratingArchipelago, testing::Values("niching", "g3parm"),
                         [](const auto& test) { return test.param; });

// Does to the populations what the moves say. Returns how many took a place.
std::size_t expect_replayed(const Experiment& experiment, const RuleRun& before,
                            const std::vector<Move>& moves, const RuleRun& after) {
  std::vector<std::set<std::size_t>> gone(before.islands.size());
  for (const Move& move : moves) gone[move.from].insert(move.slot);
  std::vector<std::vector<Rule>> populations(before.islands.size());
  for (std::size_t i = 0; i < populations.size(); ++i) {
    const auto& population = before.islands[i].population;
    for (std::size_t slot = 0; slot < population.size(); ++slot) {
      const bool left = experiment.emigration == Emigration::move && gone[i].contains(slot);
      if (!left) populations[i].push_back(population[slot].rule);
    }
  }
  std::size_t taken = 0;
  for (const Move& move : moves) {
    if (move.place == Move::nowhere) continue;
    auto& population = populations[move.to];
    EXPECT_LE(move.place, population.size());
    if (move.place == population.size()) population.emplace_back();
    population.at(move.place) = before.islands[move.from].population[move.slot].rule;
    ++taken;
  }
  for (std::size_t i = 0; i < populations.size(); ++i) {
    std::vector<Rule> rules;
    for (const Individual& individual : after.islands[i].population) {
      rules.push_back(individual.rule);
    }
    if (experiment.algorithm->name == "g3parm") {  // ranks them
      std::sort(rules.begin(), rules.end());
      std::sort(populations[i].begin(), populations[i].end());
    }
    EXPECT_EQ(rules, populations[i]);
  }
  return taken;
}

TEST_P(MigratingArchipelago, EveryWayToMigrateGivesTheSameStateAnywhere) {
  experiment_.islands = 6;
  experiment_.population = 16;
  experiment_.migrate_every = 2;
  std::vector<Bytes> states;
  const auto check = [&] {
    experiment_.validate();
    const RuleRun whole = run(5, 1, 1, cpu);
    const Bytes expected = encode(whole);
    EXPECT_EQ(std::count(states.begin(), states.end(), expected), 0) << "as another way";
    states.push_back(expected);
    const RuleRun half = run(3, 3, 2, cpu);
    EXPECT_EQ(encode(run(5, 2, 1, cpu, &half)), expected);
    for (const IslandState& island : whole.islands) {
      EXPECT_GE(island.population.size(), 8U);
      EXPECT_LE(island.population.size(), 16U);
      std::vector<Rule> rules;
      for (const Individual& individual : island.population) rules.push_back(individual.rule);
      EXPECT_TRUE(distinct_rules(rules));
    }
  };
  for (const char* topology :
       {"none", "ring", "two-way-ring", "torus", "hypercube", "star", "complete", "random:2"}) {
    SCOPED_TRACE(topology);
    experiment_.topology = topology;
    check();
  }
  experiment_.topology = "edges";
  experiment_.edges = {{0, 4}, {1, 2}, {1, 4}, {3, 1}};
  check();
  experiment_.edges.clear();
  experiment_.topology = "star";
  for (const EmigrantChoice emigrants : {EmigrantChoice::tournament, EmigrantChoice::random}) {
    SCOPED_TRACE(static_cast<int>(emigrants));
    experiment_.emigrants = emigrants;
    check();
  }
  const Replacement usual = experiment_.replacement;
  for (const Replacement replacement :
       {Replacement::worst, Replacement::random, Replacement::similar}) {
    if (replacement == usual) continue;
    SCOPED_TRACE(static_cast<int>(replacement));
    experiment_.replacement = replacement;
    check();
  }
  experiment_.emigration = Emigration::move;
  check();
}

TEST_P(MigratingArchipelago, MovesTellWhatAMigrationDid) {
  experiment_.islands = 4;
  experiment_.migrate_every = 1;
  for (const Replacement replacement :
       {Replacement::worst, Replacement::random, Replacement::similar}) {
    for (const Emigration emigration : {Emigration::copy, Emigration::move}) {
      experiment_.replacement = replacement;
      experiment_.emigration = emigration;
      experiment_.topology = emigration == Emigration::copy ? "complete" : "random:2";
      LocalCommunicator communicator;
      ThreadPool pool(1);
      const auto resident = make_cpu_device(pool)->load(dataset_);
      RuleArchipelago archipelago(experiment_, grammar_, *resident, pool, communicator);
      archipelago.advance(0);
      archipelago.keep_moves();
      Experiment none_moves = experiment_;
      none_moves.migrate_every = 0;
      std::size_t taken = 0;
      for (std::uint32_t generation = 1; generation <= 3; ++generation) {
        RuleArchipelago still(none_moves, grammar_, *resident, pool, communicator);
        still.restore(*archipelago.whole_state());
        still.advance(generation);
        const RuleRun before = open_run(*still.whole_state(), grammar_);
        archipelago.advance(generation);
        const auto migrations = archipelago.take_moves();
        ASSERT_EQ(migrations.size(), 1U);
        EXPECT_EQ(migrations.front().generation, generation);
        const auto& moves = migrations.front().moves;
        EXPECT_EQ(moves.size(), 4U * (emigration == Emigration::copy ? 3 : 2) * 4);
        const RuleRun after = open_run(*archipelago.whole_state(), grammar_);
        taken += expect_replayed(experiment_, before, moves, after);
      }
      EXPECT_GT(taken, 0U);
    }
  }
}

// Who sends and takes none shrinks by those who left, until it breeds again.
TEST_P(MigratingArchipelago, WhoMovesLeaves) {
  experiment_.islands = 3;
  experiment_.migrate_every = 1;
  experiment_.migrants = 4;
  experiment_.topology = "edges";
  experiment_.edges = {{0, 1}, {0, 2}};
  for (const Emigration emigration : {Emigration::copy, Emigration::move}) {
    experiment_.emigration = emigration;
    const RuleRun state = run(1, 2);
    const std::size_t left = emigration == Emigration::move ? 26 : 30;
    EXPECT_EQ(state.islands[0].population.size(), left);
    EXPECT_EQ(state.islands[1].population.size(), 30U);
    EXPECT_EQ(state.islands[2].population.size(), 30U);
  }
}

}  // namespace
}  // namespace atl::test
