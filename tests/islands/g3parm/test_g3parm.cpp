#include <numeric>

#include <gtest/gtest.h>

#include "islands/g3parm/g3parm.hpp"
#include "src/rules/rule_text.hpp"
#include "tests/islands/planted_table.hpp"

namespace atl::test {

namespace {

class G3parmTest : public testing::Test {
 protected:
  // A derived individual whose rule reads like this, with supports in the order of its comparisons.
  Individual individual(const std::string& text, std::vector<std::uint64_t> supports) {
    const Rule wanted = parse_rule(text, dataset_.attributes(), "test");
    // Literals in a grammar of just this rule have the symbols of no other grammar, so search.
    Individual result;
    result.stand_for(wanted);
    result.derivation = derivation_of(wanted);
    result.statistics.comparison_supports = std::move(supports);
    return result;
  }

  // Builds the rule by replacing the comparisons of a derivation of the same shape.
  Derivation derivation_of(const Rule& wanted) {
    for (std::uint32_t slot = 0; slot < 200000; ++slot) {
      RandomStream stream({1, 0, 0, slot, Purpose::test});
      Derivation derivation = grammar_.derive(stream);
      if (grammar_.rule(derivation) == wanted) return derivation;
    }
    ADD_FAILURE() << "not derived: " << to_text(wanted, dataset_.attributes());
    return {};
  }

  std::string text(const Derivation& derivation) {
    return to_text(grammar_.rule(derivation), dataset_.attributes());
  }

  // Of that support.
  Individual supported(const std::string& text, std::uint64_t both) {
    Individual result;
    result.stand_for(parse_rule(text, dataset_.attributes(), "test"));
    result.statistics.table = {500, 400, 450, both};
    return result;
  }
  // What immigrants do to four residents of supports 40, 30, 20, 10: the rules' supports then, and
  // the places.
  std::vector<std::uint64_t> immigrate(Replacement replacement,
                                       const std::vector<Individual>& immigrants,
                                       std::uint32_t room = 0) {
    experiment_.population = 4 + room;
    experiment_.replacement = replacement;
    G3parm g3parm(experiment_, grammar_);
    IslandState state;
    state.population = {supported("c4 = l0 => c5 = l0", 40), supported("c4 = l1 => c5 = l0", 30),
                        supported("c6 = l1 => c5 = l1", 20), supported("c6 = l2 => c4 = l0", 10)};
    std::vector<const Individual*> pointers;
    for (const Individual& immigrant : immigrants) pointers.push_back(&immigrant);
    places_ = g3parm.immigrate(state, pointers, 10);
    std::vector<std::uint64_t> supports;
    for (const Individual& i : state.population) supports.push_back(i.statistics.table.n_both);
    return supports;
  }

  std::vector<std::uint32_t> places_;
  Dataset dataset_ = planted_table(500);
  // Few labels, so that any given rule is soon derived.
  BoundGrammar grammar_{
      Grammar::parse("<rule> ::= <side> => <comparison>\n"
                     "<side> ::= <comparison> | <comparison> AND <comparison>\n"
                     "<comparison> ::= <equal(c4, c5, c6)> | <not_equal(c4, c5, c6, c7)>\n",
                     "test"),
      dataset_.attributes(), 3};
  Experiment experiment_ = small_experiment("g3parm");
};

}  // namespace

TEST_F(G3parmTest, WeighingFindsTheSupportOfEachComparison) {
  const Individual one = individual("c4 = l0 AND c5 != l1 => c6 = l2", {10, 400, 30});
  const Weights weighed = weigh(grammar_, one);
  ASSERT_EQ(weighed.nodes.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    const std::uint32_t attribute = one.derivation[weighed.nodes[i]].comparison.attribute;
    EXPECT_EQ(weighed.supports[i], attribute == 4 ? 10U : attribute == 5 ? 400U : 30U);
  }
}

TEST_F(G3parmTest, CrossoverPutsTheDonorsHighestSupportInPlaceOfTheLowest) {
  Individual child = individual("c4 = l0 AND c5 != l1 => c6 = l2", {10, 400, 30});
  const Individual donor = individual("c4 = l3 AND c7 != l1 => c6 = l4", {50, 450, 40});
  Weights weights = weigh(grammar_, child);
  EXPECT_TRUE(crossover_by_support(grammar_, child.derivation, weights, donor.derivation,
                                   weigh(grammar_, donor)));
  EXPECT_EQ(text(child.derivation), "c5 != l1 AND c7 != l1 => c6 = l2");
  auto supports = weights.supports;
  std::sort(supports.begin(), supports.end());
  EXPECT_EQ(supports, (std::vector<std::uint64_t>{30, 400, 450}));
}

TEST_F(G3parmTest, CrossoverTakesTheNextHighestWhereSidesWouldShareAnAttribute) {
  Individual child = individual("c4 = l0 AND c5 != l1 => c6 = l2", {10, 400, 30});
  const Individual donor = individual("c4 = l3 AND c6 != l1 => c7 != l4", {50, 450, 45});
  Weights weights = weigh(grammar_, child);
  EXPECT_TRUE(crossover_by_support(grammar_, child.derivation, weights, donor.derivation,
                                   weigh(grammar_, donor)));
  EXPECT_EQ(text(child.derivation), "c4 = l3 AND c5 != l1 => c6 = l2");
}

TEST_F(G3parmTest, MutationChangesTheWeakestComparisonAlone) {
  for (std::uint32_t slot = 0; slot < 20; ++slot) {
    const Individual parent = individual("c4 = l0 AND c5 != l1 => c6 = l2", {10, 400, 30});
    const Weights weights = weigh(grammar_, parent);
    const auto& supports = weights.supports;
    const auto target = static_cast<std::size_t>(std::find(supports.begin(), supports.end(), 10U) -
                                                 supports.begin());
    Derivation child = parent.derivation;
    RandomStream stream({1, 0, 1, slot, Purpose::mutate});
    EXPECT_TRUE(mutate_weakest(grammar_, child, supports, stream));
    EXPECT_TRUE(grammar_.accepts(child));
    const auto nodes = grammar_.comparison_nodes(child);
    ASSERT_EQ(nodes.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
      if (i == target) continue;
      EXPECT_EQ(child[nodes[i]].comparison, parent.derivation[weights.nodes[i]].comparison);
    }
  }
}

TEST_F(G3parmTest, RanksBySupportAndPutsFullSidesLast) {
  G3parm algorithm(experiment_, grammar_);
  const auto with = [&](const std::string& rule, const ContingencyTable& table) {
    Individual i;
    i.stand_for(parse_rule(rule, dataset_.attributes(), "test"));
    i.statistics.table = table;
    return i;
  };
  std::vector<Individual> population{
      with("c4 = l0 => c5 = l0", {100, 100, 90, 90}), with("c4 = l1 => c5 = l0", {100, 50, 50, 30}),
      with("c4 = l2 => c5 = l0", {100, 60, 50, 40}), with("c4 = l3 => c5 = l0", {100, 40, 50, 30})};
  algorithm.rank(population);
  std::vector<std::uint32_t> labels;
  for (const auto& i : population) labels.push_back(i.rule.antecedent.comparisons()[0].low);
  EXPECT_EQ(labels, (std::vector<std::uint32_t>{2, 3, 1, 0}));
}

TEST_F(G3parmTest, ThePoolHoldsTheBestDistinctRulesAboveTheThresholds) {
  experiment_.min_support.share = 0.3;
  experiment_.min_confidence = 0.6;
  experiment_.set("pool", 2);
  G3parm algorithm(experiment_, grammar_);
  const auto with = [&](const std::string& rule, const ContingencyTable& table) {
    Individual i;
    i.stand_for(parse_rule(rule, dataset_.attributes(), "test"));
    i.statistics.table = table;
    return i;
  };
  const Individual held = with("c4 = l0 => c5 = l0", {100, 50, 60, 40});
  IslandState state;
  Offspring offspring;
  offspring.fresh = {held};
  algorithm.replace(state, offspring, 0, [](const Individual&, std::uint32_t) {});
  ASSERT_EQ(algorithm.pool().size(), 1U);
  offspring.known = {held};
  offspring.fresh = {with("c4 = l1 => c5 = l0", {100, 50, 60, 35}),   // third
                     with("c4 = l2 => c5 = l0", {100, 50, 60, 38}),   // second
                     with("c4 = l3 => c5 = l0", {100, 90, 60, 50}),   // too little confidence
                     with("c4 = l4 => c5 = l0", {100, 29, 60, 29})};  // too little support
  std::size_t offered = 0;
  algorithm.replace(state, offspring, 1, [&](const Individual&, std::uint32_t) { ++offered; });
  EXPECT_EQ(offered, 1U);  // the held one was when it entered
  EXPECT_EQ(state.population.size(), 5U);
  ASSERT_EQ(algorithm.pool().size(), 2U);
  EXPECT_EQ(algorithm.pool()[0].rule, held.rule);
  EXPECT_EQ(algorithm.pool()[1].statistics.table.n_both, 38U);
}

TEST_F(G3parmTest, OffspringThatAreHeldAlreadyKeepTheirCounts) {
  experiment_.set("crossover", 0);
  experiment_.set("mutation", 0);
  G3parm algorithm(experiment_, grammar_);
  IslandState state;
  state.population = derive_population(grammar_, 1, 0, 30);
  for (Individual& i : state.population) {
    i.statistics.table = {100, 50, 50, 20};
    i.statistics.comparison_supports = std::vector<std::uint64_t>(i.rule.comparisons(), 50);
  }
  Offspring offspring;
  breed(algorithm, state, 1, offspring);
  EXPECT_EQ(offspring.known.size() + offspring.fresh.size(), 30U);
  EXPECT_GT(offspring.known.size(), 5U);
  for (const Individual& i : offspring.known) EXPECT_EQ(i.statistics.table.n, 100U);
  for (const Individual& i : offspring.fresh) {
    EXPECT_EQ(i.statistics.table.n, 0U);
    EXPECT_TRUE(std::none_of(state.population.begin(), state.population.end(),
                             [&](const Individual& held) { return held.rule == i.rule; }));
  }
}

TEST_F(G3parmTest, ImmigrantsReplaceTheWorstAndAreNotDoubled) {
  const auto known = supported("c4 = l1 => c5 = l0", 30);
  const std::vector<Individual> immigrants = {supported("c4 = l3 => c6 = l0", 5), known,
                                              supported("c4 = l4 => c6 = l0", 35),
                                              supported("c4 = l3 => c6 = l0", 5)};
  using Supports = std::vector<std::uint64_t>;
  EXPECT_EQ(immigrate(Replacement::worst, immigrants), (Supports{40, 35, 30, 5}));
  EXPECT_EQ(places_, (std::vector<std::uint32_t>{3, Move::nowhere, 2, Move::nowhere}));
  EXPECT_EQ(immigrate(Replacement::worst, immigrants, 1), (Supports{40, 35, 30, 20, 5}));
  EXPECT_EQ(places_, (std::vector<std::uint32_t>{4, Move::nowhere, 3, Move::nowhere}));
}

TEST_F(G3parmTest, MoreImmigrantsThanPlacesReplaceAllResidentsOnce) {
  std::vector<Individual> immigrants;
  for (const std::uint64_t both : {5U, 4U, 3U, 2U, 1U}) {
    immigrants.push_back(supported("c7 = l" + std::to_string(both - 1) + " => c6 = l0", both));
  }
  for (const Replacement replacement : {Replacement::worst, Replacement::random}) {
    EXPECT_EQ(immigrate(replacement, immigrants), (std::vector<std::uint64_t>{5, 4, 3, 2}));
    EXPECT_EQ(places_.back(), Move::nowhere);
  }
}

TEST_F(G3parmTest, TheMostSimilarIsReplacedByABetterOne) {
  using Supports = std::vector<std::uint64_t>;
  // Like the second and the first, of which the second shares the antecedent.
  EXPECT_EQ(immigrate(Replacement::similar, {supported("c4 = l1 => c5 = l3", 31)}),
            (Supports{40, 31, 20, 10}));
  EXPECT_EQ(places_, (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(immigrate(Replacement::similar, {supported("c4 = l1 => c5 = l3", 29)}),
            (Supports{40, 30, 20, 10}));
  EXPECT_EQ(places_, (std::vector<std::uint32_t>{Move::nowhere}));
}

TEST_F(G3parmTest, EmigrantsAreTheFirstAndLeaveTheOthersInOrder) {
  G3parm g3parm(experiment_, grammar_);
  IslandState state;
  for (std::uint64_t both = 4; both > 0; --both) {
    state.population.push_back(
        supported("c7 = l" + std::to_string(both - 1) + " => c6 = l0", both));
  }
  RandomStream draw({1, 0, 10, 0, Purpose::migrate});
  const auto chosen = g3parm.emigrants(state, 2, draw);
  EXPECT_EQ(chosen, (std::vector<std::size_t>{0, 1}));
  g3parm.remove(state, chosen);
  ASSERT_EQ(state.population.size(), 2U);
  EXPECT_EQ(state.population[0].statistics.table.n_both, 2U);
  EXPECT_EQ(state.population[1].statistics.table.n_both, 1U);
}

}  // namespace atl::test
