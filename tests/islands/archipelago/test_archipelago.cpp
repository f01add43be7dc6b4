#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>

#include <gtest/gtest.h>

#include "islands/population.hpp"
#include "src/eval/counting_options.hpp"
#include "src/results/archive/constraints.hpp"
#include "src/results/choice/chosen_rules.hpp"
#include "src/results/written/rescore.hpp"
#include "src/rules/rule_text.hpp"
#include "tests/islands/archipelago/archipelago_runs.hpp"
#include "tests/islands/archipelago/rule_archipelago.hpp"
#include "tests/islands/hooked_resident.hpp"
#include "tests/support/sanitizers.hpp"

namespace atl::test {

namespace {

INSTANTIATE_TEST_SUITE_P(Presets, ArchipelagoTest, testing::Values("niching", "g3parm"),
                         [](const auto& test) { return test.param; });

/// Sanitizers take ten times as long, and look for other faults than unequal bytes.
constexpr int stride = sanitized ? 3 : 1;

}  // namespace

TEST_P(ArchipelagoTest, GivesTheSameStateOnAnyNumberOfRanksAndThreads) {
  experiment_.islands = 5;
  const Bytes expected = encode(run(8));
  for (int ranks = 2; ranks <= 5; ranks += stride) {
    EXPECT_EQ(encode(run(8, ranks)), expected) << ranks;
  }
  EXPECT_EQ(encode(run(8, 1, 3)), expected);
  for (unsigned threads = 1; threads <= 4; threads += stride) {
    EXPECT_EQ(encode(run(8, 1, threads, cpu)), expected) << threads;
    EXPECT_EQ(encode(run(8, 2, threads, cpu)), expected) << threads;
  }
}

TEST_P(ArchipelagoTest, ManyGenerationsAtOnceGiveTheSameState) {
  experiment_.islands = 5;
  experiment_.migrate_every = 3;
  const Bytes expected = encode(run(8));
  for (const unsigned threads : {1U, 2U, 3U, 7U}) {
    ThreadPool pool(threads);
    const auto resident = make_cpu_device(pool)->load(dataset_);
    LocalCommunicator communicator;
    RuleArchipelago archipelago(experiment_, grammar_, *resident, pool, communicator);
    archipelago.advance(0);
    archipelago.advance(8);
    EXPECT_EQ(archipelago.generation(), 8U);
    EXPECT_EQ(encode(*archipelago.whole_state()), expected) << threads;
  }
}

TEST_P(ArchipelagoTest, GoesOnFromAnyGenerationAsIfNothingHadHappened) {
  const Bytes expected = encode(run(8));
  for (std::uint32_t stop = 0; stop <= 8; stop += stride) {
    const Bytes stored = encode(run(stop, 1 + static_cast<int>(stop % 3)));
    const RuleRun state = decode_rule_run(stored, grammar_);
    EXPECT_EQ(encode(state), stored);
    EXPECT_EQ(encode(run(8, 1 + static_cast<int>(stop % 4), 1, reference, &state)), expected);
  }
}

TEST_P(ArchipelagoTest, KeepsImprovementsAndOneGenerationOfSo) {
  const std::vector<HistoryRow> all = run(8).history.kept;
  experiment_.history_every = HistoryInterval{3};
  const RuleRun whole = run(8);
  std::vector<HistoryRow> expected;
  std::vector<HistoryBest> best(4);
  std::size_t improvements = 0;
  for (const HistoryRow& row : all) {
    const bool improves = best[row.island].improves(row);
    if (row.generation % 3 == 0 || improves) expected.push_back(row);
    if (row.generation % 3 != 0 && improves) ++improvements;
  }
  EXPECT_GT(improvements, 0U);
  const auto bytes = [](const std::vector<HistoryRow>& rows) {
    return history_section({rows, {}}).bytes;
  };
  EXPECT_EQ(bytes(whole.history.kept), bytes(expected));
  EXPECT_EQ(bytes(whole.history.last), bytes({all.end() - 4, all.end()}));
  for (const std::uint32_t stop : {1U, 3U, 7U}) {
    const RuleRun state = decode_rule_run(encode(run(stop, 2)), grammar_);
    EXPECT_EQ(encode(run(8, 3, 1, reference, &state)), encode(whole)) << stop;
  }

  const auto restore = [&](const RuleRun& from) { run(8, 1, 1, reference, &from); };
  RuleRun wrong = whole;
  wrong.history.kept.erase(wrong.history.kept.begin());
  EXPECT_THROW(restore(wrong), BadBytes);
  wrong = whole;
  wrong.history.last.pop_back();
  EXPECT_THROW(restore(wrong), BadBytes);
  experiment_.history_every = HistoryInterval::automatic;
  EXPECT_THROW(restore(whole), BadBytes);
}

TEST_P(ArchipelagoTest, AnErrorOfOneIslandIsThrownOnceTheOthersAreIdle) {
  for (const int submitted : {0, 1, 5}) {
    ThreadPool pool(3);
    std::atomic<int> left = submitted;
    HookedResident resident(
        make_cpu_device(pool)->load(dataset_),
        [&](int) {
          if (left-- == 0) throw InternalError("one too many");
        },
        nullptr);
    LocalCommunicator communicator;
    RuleArchipelago archipelago(experiment_, grammar_, resident, pool, communicator);
    EXPECT_THROW(
        {
          archipelago.advance(0);
          step(archipelago);
        },
        InternalError);
  }
}

TEST_P(ArchipelagoTest, AnIslandThatWaitsForItsCountsHoldsNoThread) {
  ThreadPool pool(1);
  int others = 0;
  HookedResident resident(
      make_cpu_device(pool)->load(dataset_), nullptr,
      [&](int counter) {
        if (counter != 0) {
          ++others;
        } else {
          EXPECT_EQ(others, 3);
        }
      },
      [&](int counter) { return counter != 0 || others == 3; });
  LocalCommunicator communicator;
  RuleArchipelago archipelago(experiment_, grammar_, resident, pool, communicator);
  archipelago.advance(0);
  EXPECT_EQ(others, 3);
}

TEST_P(ArchipelagoTest, AnotherSeedGivesAnotherResult) {
  const Bytes first = encode(run(2));
  experiment_.seed = 2;
  EXPECT_NE(encode(run(2)), first);
}

TEST_P(ArchipelagoTest, KeepsItsPromisesAboutPopulationsArchiveAndHistory) {
  const RuleRun state = run(7);
  ASSERT_EQ(state.islands.size(), 4U);
  const auto resident = make_reference_device()->load(dataset_);
  for (const IslandState& island : state.islands) {
    EXPECT_EQ(island.population.size(), 30U);
    std::vector<Rule> rules;
    for (const Individual& individual : island.population) {
      EXPECT_TRUE(grammar_.accepts(individual.derivation));
      EXPECT_EQ(individual.rule, grammar_.rule(individual.derivation));
      rules.push_back(individual.rule);
    }
    EXPECT_TRUE(distinct_rules(rules));
    CountingOptions options;
    options.comparison_supports = GetParam() == "g3parm";
    const std::vector<RuleStatistics> counts = resident->count(rules, options);
    for (std::size_t i = 0; i < rules.size(); ++i)
      EXPECT_EQ(island.population[i].statistics, counts[i]);
  }
  const bool niching = GetParam() == "niching";
  const Constraints constraints{experiment_.min_support, experiment_.min_confidence,
                                experiment_.max_consequent(), niching};
  EXPECT_GT(state.archive.rules().size(), 10U);
  for (const RuleRecord& record : state.archive.rules()) {
    EXPECT_TRUE(constraints.met(record.table));
    EXPECT_LE(record.generation, 7U);
    EXPECT_LT(record.island, 4U);
  }
  ASSERT_EQ(state.history.kept.size(), 8U * 4);
  for (std::size_t i = 0; i < state.history.kept.size(); ++i) {
    const HistoryRow& row = state.history.kept[i];
    EXPECT_EQ(row.generation, i / 4);
    EXPECT_EQ(row.island, i % 4);
    EXPECT_LE(row.evaluated, 30U * (row.generation + 1));
    EXPECT_LE(row.feasible, 30U);
    if (i >= 4) {
      EXPECT_GE(row.evaluated, state.history.kept[i - 4].evaluated);
    }
    for (std::size_t m = 0; m < row.best.size(); ++m) {
      EXPECT_TRUE(row.feasible == 0 || row.best[m] >= row.mean[m]);
    }
  }
}

TEST_P(ArchipelagoTest, FinalRulesAreTheArchivesWithoutTheRedundantOnes) {
  const RuleRun state = run(7);
  const auto resident = make_reference_device()->load(dataset_);
  ThreadPool threads(1);
  const ChosenRules chosen = choose_rules(state.archive, experiment_, grammar_, *resident, threads);
  const auto rules = std::span(chosen.rules).first(chosen.lines);
  ASSERT_FALSE(rules.empty());
  EXPECT_LE(rules.size(), experiment_.top);
  for (std::size_t i = 1; i < rules.size(); ++i) {
    EXPECT_GE(evaluate(Measure::leverage, rules[i - 1].table),
              evaluate(Measure::leverage, rules[i].table));
  }
}

TEST_P(ArchipelagoTest, CountsThatChangedAreAnError) {
  const RuleRun state = run(2);
  const Dataset other = planted_table(999, true);
  const auto resident = make_reference_device()->load(other);
  ThreadPool threads(1);
  EXPECT_THROW(choose_rules(state.archive, experiment_, grammar_, *resident, threads),
               InternalError);
}

TEST_P(ArchipelagoTest, RefusesMoreRanksThanIslandsAndUnknownNames) {
  EXPECT_THROW(run_ranks(5,
                         [&](Communicator& communicator) {
                           ThreadPool pool(1);
                           const auto resident = make_reference_device()->load(dataset_);
                           RuleArchipelago(experiment_, grammar_, *resident, pool, communicator);
                         }),
               UsageError);
  const auto construct = [&](const Experiment& experiment) {
    LocalCommunicator communicator;
    ThreadPool pool(1);
    const auto resident = make_reference_device()->load(dataset_);
    RuleArchipelago(experiment, grammar_, *resident, pool, communicator);
  };
  Experiment wrong = experiment_;
  wrong.archive_by = "beauty";
  EXPECT_THROW(construct(wrong), UsageError);
  EXPECT_NO_THROW(construct(experiment_));
}

TEST_P(ArchipelagoTest, RefusesAStateOfAnotherExperiment) {
  const RuleRun state = run(2);
  const auto restore = [&](const RuleRun& from) { run(2, 1, 1, reference, &from); };
  experiment_.islands = 3;
  EXPECT_THROW(restore(state), BadBytes);
  experiment_ = small_experiment(GetParam());
  experiment_.population = 20;
  EXPECT_THROW(restore(state), BadBytes);
  experiment_ = small_experiment(GetParam());
  RuleRun gap = state;
  gap.history.kept.pop_back();
  EXPECT_THROW(restore(gap), BadBytes);
  EXPECT_NO_THROW(restore(state));
}

TEST_P(ArchipelagoTest, FindsAStateThatClaimsOtherCounts) {
  const RuleRun state = run(2);
  LocalCommunicator communicator;
  ThreadPool pool(1);
  const auto resident = make_reference_device()->load(dataset_);
  const RuleArchipelago archipelago(experiment_, grammar_, *resident, pool, communicator);
  EXPECT_NO_THROW(archipelago.expect_restorable(close_run(state)));
  RuleRun false_one = state;
  ++false_one.islands.back().population.front().statistics.table.n_antecedent;
  EXPECT_THROW(archipelago.expect_restorable(close_run(false_one)), BadBytes);
  false_one = state;
  ++false_one.islands.front().population.back().statistics.missing_consequent;
  EXPECT_THROW(archipelago.expect_restorable(close_run(false_one)), BadBytes);

  std::vector<RuleRecord> archived = state.archive.rules();
  ASSERT_FALSE(archived.empty());
  const CountingOptions options = counting_options(experiment_, dataset_.attributes());
  EXPECT_NO_THROW(expect_counts(archived, options, *resident));
  ++archived.back().table.n_both;
  EXPECT_THROW(expect_counts(archived, options, *resident), BadBytes);
}

TEST_P(ArchipelagoTest, AFewPossibleRulesAreAllFoundAndNothingElse) {
  const BoundGrammar tiny(
      Grammar::parse("<rule> ::= <a> => <b>\n<a> ::= \"c4 = l0\" | \"c4 = l2\"\n"
                     "<b> ::= \"c5 = l0\" | \"c5 = l1\"\n",
                     "tiny"),
      dataset_.attributes(), 2);
  ThreadPool pool(2);
  const auto resident = make_reference_device()->load(dataset_);
  LocalCommunicator communicator;
  RuleArchipelago archipelago(experiment_, tiny, *resident, pool, communicator);
  archipelago.advance(0);
  for (int i = 0; i < 4; ++i) step(archipelago);
  const RuleRun state = open_run(*archipelago.whole_state(), tiny);
  for (const IslandState& island : state.islands) {
    EXPECT_EQ(island.population.size(), 4U);
  }
}

TEST(Niching, FindsThePlantedRuleAndBeatsRandomDerivation) {
  const Dataset dataset = planted_table(20000);
  const BoundGrammar grammar = association_grammar(dataset);
  Experiment experiment = small_experiment("niching");
  experiment.population = 60;
  ThreadPool pool(1);
  const auto resident = make_cpu_device(pool)->load(dataset);
  LocalCommunicator communicator;
  RuleArchipelago archipelago(experiment, grammar, *resident, pool, communicator);
  archipelago.advance(0);
  for (int i = 0; i < 40; ++i) step(archipelago);
  const RuleRun state = open_run(*archipelago.whole_state(), grammar);

  const auto rules = choose_rules(state.archive, experiment, grammar, *resident, pool).rules;
  ASSERT_FALSE(rules.empty());
  const Rule planted{
      Expression::conjunction(std::vector<Comparison>{{0, 12, 19, false}, {4, 2, 2, false}}),
      Expression::of({5, 1, 1, false})};
  // Leverage does not tell which side is which: the reverse is as good.
  ASSERT_GE(rules.size(), 2U);
  EXPECT_TRUE(rules[0].rule == planted || rules[1].rule == planted)
      << to_text(rules[0].rule, dataset.attributes()) << "; "
      << to_text(rules[1].rule, dataset.attributes());

  std::uint64_t budget = 0;
  for (std::size_t i = state.history.kept.size() - 4; i < state.history.kept.size(); ++i) {
    budget += state.history.kept[i].evaluated;
  }
  const auto random =
      derive_population(grammar, experiment.seed, 0, static_cast<std::uint32_t>(budget));
  std::vector<Rule> drawn;
  for (const Individual& individual : random) drawn.push_back(individual.rule);
  ASSERT_EQ(drawn.size(), budget);
  const std::vector<RuleStatistics> counts = resident->count(drawn, {});
  double best = 0;
  for (const RuleStatistics& c : counts) {
    best = std::max(best, evaluate(Measure::leverage, c.table));
  }
  EXPECT_GT(evaluate(Measure::leverage, rules.front().table), best);
}

}  // namespace atl::test
