#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "islands/algorithms.hpp"
#include "islands/niching/niching.hpp"
#include "src/core/error.hpp"
#include "src/results/archive/steering.hpp"
#include "tests/islands/planted_table.hpp"

namespace atl::test {

namespace {

class NichingTest : public testing::Test {
 protected:
  // x0 <= high => c5 = l1 with made-up counts: others of close bounds cover nearly the same rows.
  static Individual individual(std::uint32_t attribute, std::uint32_t high, std::uint64_t both) {
    Individual result;
    result.stand_for(
        {Expression::of({attribute, 0, high, false}), Expression::of({5, 1, 1, false})});
    result.statistics.table = {100, 20, 20, both};
    return result;
  }
  static IslandState state_of(Niching& niching, std::vector<Individual> population) {
    IslandState state;
    state.population = std::move(population);
    niching.complete(state);
    return state;
  }
  static void immigrate(Niching& niching, IslandState& state,
                        const std::vector<Individual>& immigrants) {
    std::vector<const Individual*> pointers;
    for (const Individual& immigrant : immigrants) pointers.push_back(&immigrant);
    niching.immigrate(state, pointers, 10);
  }
  static bool holds(const IslandState& state, const Individual& individual) {
    return std::any_of(state.population.begin(), state.population.end(),
                       [&](const Individual& i) { return i.rule == individual.rule; });
  }

  Dataset dataset_ = planted_table(2000);
  BoundGrammar grammar_ = association_grammar(dataset_);
  ThreadPool pool_{1};
  std::shared_ptr<Resident> resident_ = make_cpu_device(pool_)->load(dataset_);
  Experiment experiment_ = small_experiment("niching");
  const Offer ignore_ = [](const Individual&, std::uint32_t) {};
};

}  // namespace

// On every backend the same ones.
TEST_F(NichingTest, FitsToAsManyRowsAsTheExperimentSays) {
  const auto rules_after = [&](Resident& resident, double first, double last) {
    experiment_.set("fit_rows", first);
    experiment_.set("final_fit_rows", last);
    Niching niching(experiment_, grammar_, resident);
    IslandState state;
    Offspring offspring;
    for (std::uint32_t generation = 0; generation < 4; ++generation) {
      breed(niching, state, generation, offspring);
      std::vector<Rule> rules;
      for (const Individual& child : offspring.fresh) rules.push_back(child.rule);
      const auto counts = resident.count(rules, niching.options());
      for (std::size_t i = 0; i < rules.size(); ++i) offspring.fresh[i].statistics = counts[i];
      niching.replace(state, offspring, generation, ignore_);
    }
    std::vector<Rule> rules;
    for (const Individual& individual : state.population) rules.push_back(individual.rule);
    return rules;
  };
  const std::shared_ptr<Resident> reference = make_reference_device()->load(dataset_);
  std::set<std::vector<Rule>> different;
  for (const auto& [first, last] : {std::pair(512., 8192.), {0., 0.}, {20., 100.}, {0., 100.}}) {
    const auto rules = rules_after(*resident_, first, last);
    EXPECT_EQ(rules, rules_after(*reference, first, last)) << first << ' ' << last;
    different.insert(rules);
  }
  EXPECT_EQ(different.size(), 4U);
}

TEST_F(NichingTest, BreedsDistinctRulesOfTheGrammar) {
  experiment_.population = 30;
  Niching niching(experiment_, grammar_, *resident_);
  IslandState state;
  std::vector<Rule> rules;
  Offspring offspring;
  for (std::uint32_t generation = 0; generation < 5; ++generation) {
    breed(niching, state, generation, offspring);
    EXPECT_TRUE(offspring.known.empty());
    ASSERT_EQ(offspring.fresh.size(), 30U);
    rules.clear();
    for (const Individual& i : state.population) rules.push_back(i.rule);
    for (const Individual& i : offspring.fresh) {
      EXPECT_TRUE(grammar_.accepts(i.derivation));
      EXPECT_EQ(i.rule, grammar_.rule(i.derivation));
      rules.push_back(i.rule);
    }
    EXPECT_TRUE(distinct_rules(rules));
    niching.replace(state, offspring, generation, ignore_);
    EXPECT_EQ(state.population.size(), 30U);
  }
}

TEST_F(NichingTest, AChildTakesThePlaceOfAWorseOneThatCoversTheSameRows) {
  experiment_.population = 4;
  Niching niching(experiment_, grammar_, *resident_);
  const auto worse = individual(0, 20, 6), unlike = individual(1, 3, 5);
  IslandState state =
      state_of(niching, {worse, unlike, individual(2, 30, 10), individual(3, 30, 10)});
  Offspring offspring;
  offspring.fresh = {individual(0, 19, 8)};
  niching.replace(state, offspring, 1, ignore_);
  EXPECT_TRUE(holds(state, individual(0, 19, 8)));
  EXPECT_FALSE(holds(state, worse));
  EXPECT_TRUE(holds(state, unlike)) << "weaker still, but speaks of other rows";
}

TEST_F(NichingTest, AWorseChildIsNotTakenButOffered) {
  experiment_.population = 4;
  Niching niching(experiment_, grammar_, *resident_);
  IslandState state = state_of(niching, {individual(0, 20, 16), individual(1, 20, 16),
                                         individual(2, 20, 16), individual(3, 20, 16)});
  const auto child = individual(0, 19, 8), infeasible = individual(0, 18, 4);
  Offspring offspring;
  offspring.fresh = {child, infeasible};
  std::vector<Rule> offered;
  niching.replace(state, offspring, 1,
                  [&](const Individual& i, std::uint32_t) { offered.push_back(i.rule); });
  EXPECT_FALSE(holds(state, child));
  EXPECT_EQ(offered, (std::vector<Rule>{child.rule}));
}

TEST_F(NichingTest, BeginsAnewWhenAlmostNothingChanges) {
  experiment_.population = 4;
  Niching niching(experiment_, grammar_, *resident_);
  IslandState state = state_of(niching, {individual(0, 20, 16), individual(1, 20, 16),
                                         individual(2, 20, 16), individual(3, 20, 16)});
  for (std::uint32_t generation = 1; generation <= 10; ++generation) {
    EXPECT_FALSE(niching.own().stagnant);
    Offspring offspring;
    offspring.fresh = {individual(0, 19, 8)};
    niching.replace(state, offspring, generation, ignore_);
  }
  ASSERT_TRUE(niching.own().stagnant);
  const auto& covered = niching.own().covered;
  ASSERT_EQ(covered.size(), CoverageSample(dataset_).rows());
  EXPECT_GT(*std::max_element(covered.begin(), covered.end()), 0U);
  const IslandState before = state;
  Offspring offspring;
  breed(niching, state, 11, offspring);
  niching.replace(state, offspring, 11, ignore_);
  EXPECT_FALSE(niching.own().stagnant);
  for (const Individual& old : before.population) EXPECT_FALSE(holds(state, old));
}

TEST_F(NichingTest, WhatItKeepsComesBackAsItWas) {
  NichingState kept;
  kept.success.assign(operations, 0.25);
  kept.covered = {3, 0, 7};
  kept.replaced = 5;
  kept.stagnant = true;
  const OwnState saved = encode(kept);
  Niching niching(experiment_, grammar_, *resident_);
  niching.load(saved);
  EXPECT_EQ(niching.own(), kept);
  EXPECT_EQ(niching.save(), saved);
  OwnState other = saved;
  ++other.version;
  EXPECT_THROW(niching.load(other), BadBytes);
  for (std::size_t length = 0; length < saved.bytes.size(); ++length) {
    other = saved;
    other.bytes.resize(length);
    EXPECT_THROW(niching.load(other), BadBytes) << length;
  }
  other = saved;
  other.bytes.push_back(std::byte{0});
  EXPECT_THROW(niching.load(other), BadBytes);
  for (const auto& success : {std::vector<double>(operations, 1.5), std::vector<double>(3, 0.5)}) {
    NichingState wrong = kept;
    wrong.success = success;
    EXPECT_THROW(niching.load(encode(wrong)), BadBytes);
  }
  EXPECT_EQ(niching.own(), kept) << "what is refused changes nothing";
}

TEST_F(NichingTest, EmigrantsAreTheBestByEachObjectiveInTurn) {
  experiment_.maximize = {"leverage", "confidence"};
  Niching niching(experiment_, grammar_, *resident_);
  auto certain = individual(2, 1, 5);
  certain.statistics.table = {100, 5, 20, 5};
  const IslandState state = state_of(
      niching, {individual(0, 20, 8), individual(1, 20, 16), certain, individual(3, 20, 10)});
  RandomStream draw({1, 0, 10, 0, Purpose::migrate});
  EXPECT_EQ(niching.emigrants(state, 3, draw), (std::vector<std::size_t>{1, 2, 3}));
  EXPECT_EQ(niching.emigrants(state, 9, draw).size(), 4U);
}

TEST_F(NichingTest, ImmigrantsCompeteLikeChildren) {
  experiment_.population = 4;
  Niching niching(experiment_, grammar_, *resident_);
  IslandState state = state_of(niching, {individual(0, 20, 8), individual(1, 20, 16),
                                         individual(2, 20, 16), individual(3, 20, 16)});
  immigrate(niching, state, {individual(0, 19, 9), individual(1, 19, 9), individual(2, 20, 16)});
  EXPECT_EQ(state.population.size(), 4U);
  EXPECT_TRUE(holds(state, individual(0, 19, 9)));
  EXPECT_FALSE(holds(state, individual(1, 19, 9)));
  EXPECT_TRUE(holds(state, individual(1, 20, 16)));
}

TEST_F(NichingTest, ImmigrantsTakeThePlacesOfTheWorst) {
  experiment_.population = 4;
  experiment_.replacement = Replacement::worst;
  experiment_.maximize = {"leverage"};
  Niching niching(experiment_, grammar_, *resident_);
  IslandState state = state_of(niching, {individual(0, 20, 12), individual(1, 20, 8),
                                         individual(2, 20, 16), individual(3, 20, 10)});
  immigrate(niching, state, {individual(0, 19, 7), individual(2, 20, 16), individual(1, 19, 6)});
  const std::vector<Individual> expected = {individual(0, 20, 12), individual(0, 19, 7),
                                            individual(2, 20, 16), individual(1, 19, 6)};
  ASSERT_EQ(state.population.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(state.population[i].rule, expected[i].rule) << i;
  niching.remove(state, std::vector<std::size_t>{1, 2});
  ASSERT_EQ(state.population.size(), 2U);
  EXPECT_EQ(state.population[1].rule, individual(1, 19, 6).rule);
  // The free places are taken, and the population can be bred from, coverages included.
  immigrate(niching, state, {individual(2, 20, 16), individual(3, 20, 10)});
  ASSERT_EQ(state.population.size(), 4U);
  EXPECT_EQ(state.population[3].rule, individual(3, 20, 10).rule);
  Offspring offspring;
  breed(niching, state, 11, offspring);
  EXPECT_EQ(offspring.fresh.size(), 4U);
}

TEST_F(NichingTest, GeneralisationsAreNeededOnlyForContrast) {
  EXPECT_FALSE(needs_generalisations(experiment_));
  Experiment by_contrast = experiment_;
  by_contrast.archive_by = "contrast";
  EXPECT_TRUE(needs_generalisations(by_contrast));
  Experiment maximizing = experiment_;
  maximizing.maximize = {"contrast"};
  EXPECT_TRUE(needs_generalisations(maximizing));
  Experiment on_an_island = experiment_;
  on_an_island.island_settings.emplace_back();
  on_an_island.island_settings[0].islands = {1, 1};
  on_an_island.island_settings[0].maximize = {{"contrast"}};
  EXPECT_TRUE(needs_generalisations(on_an_island));
}

TEST_F(NichingTest, RefusesUnknownMeasures) {
  experiment_.maximize = {"leverage", "beauty"};
  EXPECT_THROW(Niching(experiment_, grammar_, *resident_), UsageError);
}

}  // namespace atl::test
