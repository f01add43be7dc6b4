#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "islands/algorithms.hpp"
#include "src/results/archive/constraints.hpp"
#include "tests/islands/archipelago/archipelago_runs.hpp"

namespace atl::test {
namespace {

class RandomSearch : public ArchipelagoTest {};
INSTANTIATE_TEST_SUITE_P(Baseline, RandomSearch, testing::Values("random-search"),
                         [](const auto&) { return "random_search"; });

std::vector<Rule> rules_of(const IslandState& island) {
  std::vector<Rule> rules;
  for (const Individual& individual : island.population) rules.push_back(individual.rule);
  return rules;
}

}  // namespace

TEST_P(RandomSearch, GivesTheSameStateOnAnyRanksAndThreadsAndAfterAStop) {
  const Bytes expected = encode(run(7));
  for (const int ranks : {1, 2, 3}) {
    for (const unsigned threads : {1U, 2U}) {
      EXPECT_EQ(encode(run(7, ranks, threads)), expected) << ranks << " " << threads;
    }
  }
  const auto stopped = run(3);
  EXPECT_EQ(encode(run(7, 2, 1, reference, &stopped)), expected);
}

TEST_P(RandomSearch, DerivesEachPopulationAnew) {
  const auto before = run(1), after = run(2);
  for (std::size_t i = 0; i < before.islands.size(); ++i) {
    const auto rules = rules_of(after.islands[i]);
    EXPECT_TRUE(distinct_rules(rules));
    const auto former = rules_of(before.islands[i]);
    const auto kept = std::count_if(rules.begin(), rules.end(), [&](const Rule& rule) {
      return std::find(former.begin(), former.end(), rule) != former.end();
    });
    EXPECT_LT(kept, 5);
  }
}

TEST_P(RandomSearch, ArchivesAssociationsOfAllGenerations) {
  const auto state = run(9);
  const Constraints constraints = constraints_of(experiment_, dataset_.attributes());
  EXPECT_TRUE(constraints.positive_lift);
  std::vector<std::uint32_t> generations;
  for (const RuleRecord& record : state.archive.rules()) {
    EXPECT_TRUE(constraints.met(record.table));
    generations.push_back(record.generation);
  }
  EXPECT_GT(generations.size(), 10U);
  EXPECT_LT(*std::min_element(generations.begin(), generations.end()), 3U);
  EXPECT_GT(*std::max_element(generations.begin(), generations.end()), 6U);
}

TEST_P(RandomSearch, SendsEmigrantsAndTakesNone) {
  const IslandAim aim{&experiment_, &grammar_};
  const auto resident = make_reference_device()->load(dataset_);
  const auto algorithm = std::move(make_algorithms(experiment_, {&aim, 1}, *resident).front());
  IslandState state = run(1).islands[0];
  const auto population = rules_of(state);
  RandomStream stream({1, 0, 1, 0, Purpose::migrate});
  EXPECT_EQ(algorithm->emigrants(state, 3, stream), (std::vector<std::size_t>{0, 1, 2}));
  const Individual stranger = run(1).islands[1].population[0];
  const std::vector<const Individual*> immigrants = {&stranger};
  EXPECT_EQ(algorithm->immigrate(state, immigrants, 1), std::vector<std::uint32_t>{Move::nowhere});
  EXPECT_EQ(rules_of(state), population);
  const std::vector<std::size_t> gone = {0, 2};
  algorithm->remove(state, gone);
  EXPECT_EQ(state.population.size(), population.size() - 2);
}

}  // namespace atl::test
