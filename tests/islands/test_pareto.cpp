#include <set>

#include <gtest/gtest.h>

#include "islands/pareto.hpp"
#include "src/core/error.hpp"
#include "tests/islands/planted_table.hpp"

namespace atl::test {

namespace {

class ParetoTest : public testing::Test {
 protected:
  // Rule number `number` with that many comparisons in the antecedent.
  static Individual individual(std::uint32_t number, std::uint32_t comparisons,
                               const ContingencyTable& table) {
    std::vector<Comparison> antecedent;
    for (std::uint32_t i = 0; i < comparisons; ++i) {
      antecedent.push_back({i, number, number, false});
    }
    Individual result;
    result.rule = {Expression::conjunction(antecedent), Expression::of({5, 0, 0, false})};
    result.counts.table = table;
    return result;
  }

  Dataset dataset_ = planted_table(500, true);
  BoundGrammar grammar_ = association_grammar(dataset_);
  Experiment experiment_ = small_experiment("pareto");
};

}  // namespace

TEST_F(ParetoTest, RanksByViolationThenInTurnsByMeritAndByConsequent) {
  experiment_.maximize = {"leverage", "certainty_factor"};
  Pareto pareto(experiment_, grammar_);
  std::vector<Individual> population{
      individual(1, 1, {100, 10, 20, 0}),   // infeasible: never true together
      individual(2, 1, {100, 10, 20, 2}),   // infeasible by a hair: lift 1
      individual(3, 2, {100, 20, 20, 10}),  // dominated by 4, but more leverage than 5
      individual(4, 1, {100, 20, 20, 12}),  // best leverage
      individual(5, 1, {100, 5, 20, 5}),    // best certainty
  };
  pareto.rank(population);
  std::vector<std::uint32_t> order;
  for (const Individual& i : population) {
    order.push_back(i.rule.antecedent.comparisons().front().low);
  }
  EXPECT_EQ(order, (std::vector<std::uint32_t>{4, 3, 5, 2, 1}));
}

TEST_F(ParetoTest, RankingDoesNotDependOnTheOrderGiven) {
  Pareto pareto(experiment_, grammar_);
  std::vector<Individual> population;
  for (std::uint32_t i = 0; i < 40; ++i) {
    population.push_back(individual(i, 1 + i % 3, {100, 10 + i % 7, 20 + i % 5, 3 + i % 8}));
  }
  std::vector<Individual> reversed(population.rbegin(), population.rend());
  pareto.rank(population);
  pareto.rank(reversed);
  for (std::size_t i = 0; i < population.size(); ++i) {
    EXPECT_EQ(population[i].rule, reversed[i].rule);
  }
}

TEST_F(ParetoTest, TheThirdOfANicheComesAfterTheOthers) {
  Pareto pareto(experiment_, grammar_);
  // Three strong rules on x0, one weaker on x1.
  Individual other = individual(9, 1, {100, 20, 20, 8});
  other.rule.antecedent = Expression::of({1, 9, 9, false});
  std::vector<Individual> population{
      individual(1, 1, {100, 20, 20, 16}), individual(2, 1, {100, 20, 20, 15}),
      individual(3, 1, {100, 20, 20, 14}), other, individual(4, 1, {100, 20, 20, 1})};
  pareto.rank(population);
  std::vector<std::uint64_t> both;
  for (const Individual& i : population) both.push_back(i.counts.table.n_both);
  EXPECT_EQ(both, (std::vector<std::uint64_t>{16, 15, 8, 14, 1}));
}

TEST_F(ParetoTest, MeritAndVarietyTakeTurns) {
  Pareto pareto(experiment_, grammar_);
  // Twelve rules on c5 = l0 that dominate all others, each of its own structure and front, and ten
  // other consequents with two rules each, the better one the more dominated.
  std::vector<Individual> population;
  for (std::uint32_t i = 0; i < 12; ++i) {
    Individual strong = individual(0, 1, {1000, 400, 400, 390 - i});
    strong.rule.antecedent = Expression::of({4, i, i, false});
    population.push_back(strong);
  }
  for (std::uint32_t i = 0; i < 20; ++i) {
    Individual weak = individual(0, 1 + i % 2, {1000, 100, 100, 20 + i});
    weak.rule.consequent = Expression::of({5, 1 + i / 2, 1 + i / 2, false});
    population.push_back(weak);
  }
  pareto.rank(population);
  const auto both = [&](std::size_t i) { return population[i].counts.table.n_both; };
  std::set<std::uint32_t> consequents;
  for (std::size_t turn = 0; turn < 10; ++turn) {
    EXPECT_EQ(both(2 * turn), 390 - turn);
    EXPECT_LT(both(2 * turn + 1), 50U);
    EXPECT_EQ(both(2 * turn + 1) % 2, 1U) << "not the best on its consequent: " << turn;
    consequents.insert(population[2 * turn + 1].rule.consequent.comparisons()[0].low);
  }
  EXPECT_EQ(consequents.size(), 10U);
}

TEST_F(ParetoTest, BreedsAsManyNewRulesAsThePopulationHolds) {
  Pareto pareto(experiment_, grammar_);
  IslandState state;
  state.population = derive_population(grammar_, 1, 0, 30);
  const Offspring offspring = pareto.breed(state, 1);
  EXPECT_TRUE(offspring.known.empty());
  ASSERT_EQ(offspring.fresh.size(), 30U);
  std::vector<Rule> rules;
  for (const Individual& i : state.population) rules.push_back(i.rule);
  for (const Individual& i : offspring.fresh) {
    EXPECT_TRUE(grammar_.accepts(i.derivation));
    EXPECT_EQ(i.rule, grammar_.rule(i.derivation));
    rules.push_back(i.rule);
  }
  EXPECT_TRUE(distinct_rules(rules));
}

TEST_F(ParetoTest, TheBestOfParentsAndOffspringSurvive) {
  experiment_.population = 2;
  Pareto pareto(experiment_, grammar_);
  IslandState state;
  state.population = {individual(1, 1, {100, 20, 20, 12}), individual(2, 1, {100, 20, 20, 6})};
  Offspring offspring;
  offspring.fresh = {individual(3, 1, {100, 20, 20, 10}), individual(4, 1, {100, 20, 20, 2})};
  pareto.survive(state, std::move(offspring));
  ASSERT_EQ(state.population.size(), 2U);
  EXPECT_EQ(state.population[0].rule, individual(1, 1, {}).rule);
  EXPECT_EQ(state.population[1].rule, individual(3, 1, {}).rule);
}

TEST_F(ParetoTest, RefusesUnknownMeasures) {
  experiment_.maximize = {"leverage", "beauty"};
  EXPECT_THROW(Pareto(experiment_, grammar_), UsageError);
}

}  // namespace atl::test
