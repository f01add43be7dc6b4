#include <gtest/gtest.h>

#include "islands/population.hpp"
#include "tests/islands/planted_table.hpp"

namespace atl::test {

namespace {

class Population : public testing::Test {
 protected:
  Dataset dataset_ = planted_table(200, true);
  BoundGrammar grammar_ = association_grammar(dataset_);
};

}  // namespace

TEST_F(Population, DerivedRulesAreDistinctAndOfTheGrammar) {
  const auto population = derive_population(grammar_, 3, 1, 300);
  ASSERT_EQ(population.size(), 300U);
  std::vector<Rule> rules;
  for (const Individual& individual : population) {
    EXPECT_TRUE(grammar_.accepts(individual.derivation));
    EXPECT_EQ(individual.rule, grammar_.rule(individual.derivation));
    rules.push_back(individual.rule);
  }
  EXPECT_TRUE(distinct_rules(rules));
}

TEST_F(Population, DependsOnSeedAndIslandButNotOnItsSize) {
  const auto rule = [&](std::uint64_t seed, std::uint32_t island, std::uint32_t size) {
    return derive_population(grammar_, seed, island, size).at(5).rule;
  };
  EXPECT_EQ(rule(3, 1, 10), rule(3, 1, 50));
  EXPECT_NE(rule(3, 1, 10), rule(4, 1, 10));
  EXPECT_NE(rule(3, 1, 10), rule(3, 2, 10));
}

TEST_F(Population, TheIndexFindsWhatWasAddedAndNothingElse) {
  const auto population = derive_population(grammar_, 3, 0, 200);
  RuleIndex index;
  index.reset(100);
  index.insert_all(std::span(population).first(100));
  for (std::size_t i = 0; i < 200; ++i) {
    EXPECT_EQ(index.find(population[i]), i < 100 ? &population[i] : nullptr);
  }
  index.reset(100);
  EXPECT_EQ(index.find(population[0]), nullptr);
}

TEST_F(Population, ADistinctRuleIsLeftAloneAndAnotherIsChanged) {
  const auto population = derive_population(grammar_, 3, 0, 2);
  RuleIndex index;
  index.reset(2);
  index.insert(population[0]);
  RandomStream stream({3, 0, 1, 0, Purpose::replace});
  Individual other = population[1];
  EXPECT_TRUE(make_distinct(grammar_, index, stream, other));
  EXPECT_EQ(other.derivation, population[1].derivation);
  Individual twin = population[0];
  EXPECT_TRUE(make_distinct(grammar_, index, stream, twin));
  EXPECT_NE(twin.rule, population[0].rule);
  EXPECT_TRUE(grammar_.accepts(twin.derivation));
}

TEST_F(Population, AnExhaustedGrammarGivesUp) {
  const BoundGrammar single(Grammar::parse("<rule> ::= \"c4 = l0\" => \"c5 = l1\"\n", "single"),
                            dataset_.attributes(), 2);
  EXPECT_EQ(derive_population(single, 3, 0, 10).size(), 1U);
}

TEST_F(Population, OperatorsStayInsideTheGrammarAndMostlyChangeSomething) {
  const auto population = derive_population(grammar_, 3, 0, 200);
  int exchanged = 0;
  int mutated = 0;
  for (std::uint32_t i = 0; i < 199; ++i) {
    RandomStream stream({3, 0, 1, i, Purpose::mutate});
    Derivation child = population[i].derivation;
    exchanged += subtree_crossover(grammar_, child, population[i + 1].derivation, stream) ? 1 : 0;
    EXPECT_TRUE(grammar_.accepts(child));
    const Derivation before = child;
    const bool changed = mutate(grammar_, child, stream);
    mutated += changed ? 1 : 0;
    EXPECT_TRUE(grammar_.accepts(child));
    EXPECT_TRUE(changed || child == before);
  }
  EXPECT_GT(exchanged, 150);
  EXPECT_GT(mutated, 190);
}

}  // namespace atl::test
