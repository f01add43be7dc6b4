#include <map>

#include <gtest/gtest.h>

#include "tests/islands/archipelago/archipelago_runs.hpp"
#include "tests/islands/archipelago/rule_archipelago.hpp"

namespace atl::test {
namespace {

/// Islands 2 and 3 have another grammar and other measures than 0 and 1.
class SpecialisedArchipelago : public ArchipelagoTest {
 protected:
  SpecialisedArchipelago() {
    IslandSettings& settings = experiment_.island_settings.emplace_back();
    settings.islands = {2, 3};
    settings.maximize = {{"lift", "support"}};
    settings.grammar = "<rule> ::= <equal(c4, c6)> => <equal(c5)>";
    experiment_.max_length = grammar_.max_comparisons();
    experiment_.migrate_every = 2;
    bound_.try_emplace(0, association_grammar(dataset_));
    bound_.try_emplace(2, Grammar::parse(*settings.grammar, "narrow"), dataset_.attributes(), 5);
  }

  RuleRun run_specialised(std::uint32_t generations, int ranks, const RuleRun* from = nullptr) {
    std::optional<RuleRun> result;
    run_ranks(ranks, [&](Communicator& communicator) {
      ThreadPool pool(2);
      const auto resident = make_cpu_device(pool)->load(dataset_);
      RuleArchipelago archipelago(experiment_, IslandGrammars(bound_), *resident, pool,
                                  communicator);
      if (from == nullptr) {
        archipelago.advance(0);
      } else {
        archipelago.restore(close_run(*from));
      }
      while (archipelago.generation() < generations) step(archipelago);
      if (auto state = archipelago.whole_state()) result = open_run(*state, IslandGrammars(bound_));
    });
    return std::move(*result);
  }

  std::map<std::uint32_t, BoundGrammar> bound_;
};

INSTANTIATE_TEST_SUITE_P(Presets, SpecialisedArchipelago, testing::Values("niching", "g3parm"),
                         [](const auto& test) { return test.param; });

TEST_P(SpecialisedArchipelago, GivesTheSameStateOnAnyRanksAndAfterAnyStop) {
  experiment_.validate();
  const Bytes expected = encode(run_specialised(6, 1));
  for (const int ranks : {2, 3, 4}) EXPECT_EQ(encode(run_specialised(6, ranks)), expected) << ranks;
  const Bytes stored = encode(run_specialised(3, 2));
  const RuleRun state = decode_rule_run(stored, IslandGrammars(bound_));
  EXPECT_EQ(encode(run_specialised(6, 3, &state)), expected);
  // Of the wrong grammar they are none of this run's.
  EXPECT_THROW(decode_rule_run(stored, bound_.at(2)), BadBytes);
}

// 0 sends to 1, 1 to 2 and so on: what 2 cannot derive it does not take, while 0 takes what 3 sends
// where its grammar has it, too.
TEST_P(SpecialisedArchipelago, EachIslandKeepsToItsGrammar) {
  const RuleRun state = run_specialised(6, 1);
  for (const IslandState& island : state.islands) {
    ASSERT_FALSE(island.population.empty());
    for (const Individual& individual : island.population) {
      const auto antecedent = individual.rule.antecedent.comparisons();
      const auto consequent = individual.rule.consequent.comparisons();
      const bool narrow = antecedent.size() == 1 && consequent.size() == 1 &&
                          (antecedent[0].attribute == 4 || antecedent[0].attribute == 6) &&
                          consequent[0].attribute == 5;
      EXPECT_TRUE(narrow || island.island < 2);
      const BoundGrammar& grammar = bound_.at(island.island < 2 ? 0 : 2);
      EXPECT_EQ(grammar.rule(individual.derivation), individual.rule);
    }
  }
}

TEST_P(SpecialisedArchipelago, HistoryHasAllMeasuresOfAllIslands) {
  const auto names = experiment_.all_maximized();
  EXPECT_GT(names.size(), experiment_.maximize.size());
  const RuleRun state = run_specialised(2, 2);
  for (const HistoryRow& row : state.history.kept) EXPECT_EQ(row.best.size(), names.size());
}

// Of niching alone: g3parm searches by support, whatever is maximised.
class SteeredArchipelago : public SpecialisedArchipelago {};

INSTANTIATE_TEST_SUITE_P(Presets, SteeredArchipelago, testing::Values("niching"),
                         [](const auto& test) { return test.param; });

// Islands that maximise support find more of it than those that maximise lift.
TEST_P(SteeredArchipelago, AnIslandSteersByItsOwnMeasures) {
  experiment_.topology = "none";
  experiment_.maximize = {"lift"};
  experiment_.island_settings[0].grammar.reset();
  experiment_.island_settings[0].maximize = {{"support"}};
  bound_.erase(2);
  const RuleRun state = run_specialised(12, 1);
  const auto mean_support = [&](std::uint32_t island) {
    double sum = 0;
    for (const Individual& individual : state.islands[island].population) {
      sum += static_cast<double>(individual.statistics.table.n_both);
    }
    return sum / static_cast<double>(state.islands[island].population.size());
  };
  for (const std::uint32_t by_support : {2U, 3U}) {
    for (const std::uint32_t by_lift : {0U, 1U}) {
      EXPECT_GT(mean_support(by_support), 1.5 * mean_support(by_lift));
    }
  }
}

}  // namespace
}  // namespace atl::test
