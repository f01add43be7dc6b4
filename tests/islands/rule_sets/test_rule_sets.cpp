// The search for decision lists on a table whose list is known.
#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "islands/algorithms.hpp"
#include "islands/archipelago/archipelago.hpp"
#include "islands/archipelago/run_sections.hpp"
#include "islands/list_results.hpp"
#include "islands/rule_sets/list_breeder.hpp"
#include "islands/rule_sets/list_covering.hpp"
#include "islands/rule_sets/list_fitness.hpp"
#include "islands/rule_sets/rule_set_search.hpp"
#include "islands/rule_sets/sampled_list.hpp"
#include "src/core/communicator.hpp"
#include "src/core/thread_pool.hpp"
#include "tests/islands/listed_table.hpp"
#include "tests/islands/rule_sets/scored_list.hpp"

namespace atl {
namespace {

Experiment experiment() {
  Experiment made = Experiment::defaults(algorithms(list_kind).front());
  made.aim.target = {"class=*"};
  made.islands = 3;
  made.generations = 12;
  made.population = 20;
  made.migrate_every = 4;
  made.set("max_rules", 6);
  return made;
}

/// A search from beginning to end on a resident.
struct Learnt {
  /// @param pool  that the device uses, if it uses one: no other threads may wait for it
  Learnt(const Experiment& its, Resident& resident, ThreadPool& pool)
      : search(its, resident),
        archipelago(its, search, resident.dataset().fingerprint(), pool, alone) {
    archipelago.advance(0);
    while (archipelago.generation() < its.generations) {
      archipelago.advance(its.generations);
    }
  }
  Bytes bytes() { return encode(*archipelago.whole_state()); }

  LocalCommunicator alone;
  RuleSetSearch search;
  Archipelago archipelago;
};

TEST(RuleSetSearch, FindsTheListOfATable) {
  const Dataset data = listed_table(2000);
  ThreadPool pool(1);
  const auto resident = make_cpu_device(pool)->load(data);
  const Experiment its = experiment();
  Learnt learnt(its, *resident, pool);
  const ListFront front = list_results(learnt.search, *learnt.archipelago.whole_state())->front();
  const ListFrontRow& chosen = front.rows[front.chosen];
  EXPECT_LE(chosen.list.rules.size(), 6U);
  EXPECT_GT(chosen.training, 0.95);
  ASSERT_TRUE(chosen.unseen.has_value());
  EXPECT_GT(*chosen.unseen, 0.94);
  for (std::size_t i = 1; i < front.rows.size(); ++i) {
    EXPECT_GT(front.rows[i].list.rules.size(), front.rows[i - 1].list.rules.size());
  }
  EXPECT_EQ(std::accumulate(front.decided.begin(), front.decided.end(), std::uint64_t{0}), 2000U);
}

TEST(RuleSetSearch, TellsTheWorthOfItsLists) {
  const Dataset data = listed_table(500);
  ThreadPool pool(1);
  const auto resident = make_cpu_device(pool)->load(data);
  Experiment its = experiment();
  const auto worth_after = [&](std::uint32_t generations) {
    its.generations = generations;
    Learnt learnt(its, *resident, pool);
    const RunState state = *learnt.archipelago.whole_state();
    const ArchiveWorth worth = list_worth(*list_results(learnt.search, state));
    const ListFront front = list_results(learnt.search, state)->front();
    double unseen = 0, training = 0;  // of the best lists
    for (const ListFrontRow& row : front.rows) {
      unseen = std::max(unseen, row.unseen.value_or(0));
      training = std::max(training, row.training);
    }
    if (front.rows[0].unseen) {
      EXPECT_DOUBLE_EQ(worth[0], 1 / (1 - unseen));
    } else {
      EXPECT_GT(worth[0], 1);
      EXPECT_LT(worth[0], 1 / (1 - training)) << "comparisons cost";
    }
    EXPECT_EQ(worth[1], 0);
    EXPECT_EQ(worth[2], 0);
    return worth;
  };
  (void)worth_after(8);
  its.set("inner_folds", 0);
  EXPECT_GE(worth_after(8)[0], worth_after(0)[0]);
  its.set("for", 1);
  its.generations = 2;
  Learnt learnt(its, *resident, pool);
  const RunState state = *learnt.archipelago.whole_state();
  const ListFront front = list_results(learnt.search, state)->front();
  double loss = 9;
  for (const ListFrontRow& row : front.rows) loss = std::min(loss, row.training);
  const double worth = list_worth(*list_results(learnt.search, state))[0];
  EXPECT_GT(worth, 1);
  EXPECT_LT(worth, 1 / loss) << "comparisons cost";
}

TEST(RuleSetSearch, JoinsConjunctionsWhereRulesMay) {
  const Dataset data = listed_table(2000);
  ThreadPool pool(1);
  const auto resident = make_cpu_device(pool)->load(data);
  Experiment its = experiment();
  its.set("max_rules", 2);  // of the three that the table has, two say the same class
  const auto front = [&] {
    Learnt learnt(its, *resident, pool);
    return list_results(learnt.search, *learnt.archipelago.whole_state())->front();
  };
  EXPECT_LT(front().rows.back().training, 0.92);
  its.set("max_alternatives", 2);
  const ListFront joined = front();
  EXPECT_GT(joined.rows.back().training, 0.95);
  for (const ListFrontRow& row : joined.rows) {
    for (const ClassRule& rule : row.list.rules) {
      EXPECT_LE(alternatives(rule.antecedent).size(), 2U);
      EXPECT_GT(alternatives(rule.antecedent).size(), 0U);
    }
  }
}

class RuleSetSearchOfAlternatives : public testing::TestWithParam<int> {};

TEST_P(RuleSetSearchOfAlternatives, HasTheSameBytesOnAnyBackendAndThreads) {
  const Dataset data = listed_table(700);
  Experiment its = experiment();
  its.set("max_alternatives", GetParam());
  const auto on_cpu = [&](unsigned threads) {
    ThreadPool pool(threads);
    const auto resident = make_cpu_device(pool)->load(data);
    return Learnt(its, *resident, pool).bytes();
  };
  const Bytes first = on_cpu(1);
  EXPECT_EQ(on_cpu(3), first);
  ThreadPool pool(2);
  const auto reference = make_reference_device()->load(data);
  EXPECT_EQ(Learnt(its, *reference, pool).bytes(), first);
}

TEST_P(RuleSetSearchOfAlternatives, GoesOnFromItsState) {
  const Dataset data = listed_table(700);
  ThreadPool pool(1);
  const auto resident = make_cpu_device(pool)->load(data);
  Experiment its = experiment();
  its.set("max_alternatives", GetParam());
  const Bytes whole = Learnt(its, *resident, pool).bytes();
  Experiment half = its;
  half.generations = 6;
  RunState state = *Learnt(half, *resident, pool).archipelago.whole_state();
  state.header.experiment = its.hash();
  LocalCommunicator alone;
  RuleSetSearch search(its, *resident);
  Archipelago again(its, search, data.fingerprint(), pool, alone);
  again.expect_restorable(state);
  again.restore(state);
  while (again.generation() < its.generations) {
    again.advance(its.generations);
  }
  EXPECT_EQ(encode(*again.whole_state()), whole);
}

INSTANTIATE_TEST_SUITE_P(Rules, RuleSetSearchOfAlternatives, testing::Values(1, 3));

TEST(RuleSetSearch, RefusesAStateThatClaimsOtherCounts) {
  const Dataset data = listed_table(300);
  ThreadPool pool(1);
  const auto resident = make_cpu_device(pool)->load(data);
  const Experiment its = experiment();
  Learnt learnt(its, *resident, pool);
  RunState state = *learnt.archipelago.whole_state();
  std::vector<std::uint32_t> islands(its.islands);
  std::iota(islands.begin(), islands.end(), 0U);
  learnt.search.expect_true(state, islands);
  for (Section& section : state.sections) {
    if (section.name != results_section) continue;
    // The last count of the last list.
    section.bytes[section.bytes.size() - 8] ^= std::byte{1};
  }
  EXPECT_THROW(learnt.search.expect_true(state, islands), BadBytes);
}

TEST(MostRules, AreFewerForEachOfManyClasses) {
  Experiment its = experiment();
  its.set("max_rules", 0);
  std::vector<std::size_t> most;
  for (const std::size_t classes : {2U, 26U, 100U, 300U, 600U, 20000U})
    most.push_back(most_rules_of(its, classes));
  EXPECT_EQ(most, (std::vector<std::size_t>{40, 104, 400, 400, 600, 10000}));
}

TEST(MostListBytes, AreBoundedByRules) {
  const Dataset data = listed_table(300);
  const ClassSample sample(data, 4, {});
  ListSearch search;
  search.sample = &sample;
  search.judge = {.folds = 2, .weights = {1, 1, 1}, .costs = {{0, 0, 0}}};
  search.parts = {{0, 0}, {1, 0}, {{}, 0}};
  const auto bytes = [&](std::size_t most_rules, std::uint32_t islands) {
    search.most_rules = most_rules;
    search.islands = islands;
    std::vector<std::uint32_t> numbers(islands);
    std::iota(numbers.begin(), numbers.end(), 0U);
    return most_list_bytes(search, numbers);
  };
  const std::uint64_t list = sizeof(SampledList) + 6 * sizeof(DecidedRows::Cell);
  EXPECT_EQ(bytes(0, 1), (3 + 3 * 2) * list) << "three parts of the results and of the island";
  EXPECT_EQ(bytes(0, 2), (3 + 4 * 2) * list);
  EXPECT_GT(bytes(150, 1), 10 * bytes(30, 1));
  EXPECT_EQ(bytes(10000, 1), bytes(150, 1)) << "each rule gains two rows";
}

TEST(Settle, DropsRulesThatDecideNothingAndTakesTheClassesThatWeighMost) {
  const ListJudge judge{.folds = 1, .weights = {1, 1}, .costs = {{2, 2}}};
  SampledList list = scored({0, 1, 0, 1}, 0, {5, 1, 0, 0, 2, 7, 0, 3, 1, 4});
  settle(list, judge, {});
  // The second decides nothing, the third is of class 1 as are the last and the default.
  ASSERT_EQ(list.rules.size(), 1U);
  EXPECT_EQ(list.rules[0]->rule().label, 0U);
  EXPECT_EQ(list.default_class, 1U);
  EXPECT_EQ(list.decided, DecidedRows(std::vector<std::uint64_t>{5, 1, 3, 14}, 1, 2));
  EXPECT_EQ(correct_of(list, judge, {}).right, 19);
  EXPECT_EQ(list.fitness, 17);
}

TEST(Settle, LooksAtTheRowsOfItsPartAlone) {
  const ListJudge judge{.folds = 2, .weights = {1, 3}, .costs = {{0, 0}}};
  // Of each rule: fold 0 of both classes, fold 1 of both.
  SampledList list;
  list = scored({0}, 1, {4, 1, 0, 9, 2, 2, 5, 0});
  settle(list, judge, {.without = 1});
  EXPECT_EQ(list.rules[0]->rule().label, 0U);
  EXPECT_EQ(list.default_class, 1U);
  EXPECT_EQ(list.fitness, 4 + 3 * 2) << "comparisons cost nothing";
  const Correct all = correct_of(list, judge, {});
  EXPECT_EQ(all.right, 10 + 0);
  EXPECT_EQ(all.all, 4 + 3 + 27 + 2 + 6 + 5);
}

TEST(ClassWeights, BalanceFromRowsToClasses) {
  const std::vector<std::uint64_t> rows = {90, 10, 0};
  EXPECT_EQ(class_weights(rows, 0), (std::vector<double>{1, 1, 1}));
  const auto balanced = class_weights(rows, 1);
  EXPECT_DOUBLE_EQ(balanced[0] * 90, balanced[1] * 10);
  EXPECT_DOUBLE_EQ(balanced[0] * 90 + balanced[1] * 10, 100);
  const auto between = class_weights(rows, 0.5);
  EXPECT_NEAR(between[1] / between[0], 3, 1e-12);
}

TEST(ComparisonCosts, AreRowsOfHeavyClassesAndNoMoreThanAShareOfThem) {
  const std::vector<std::uint64_t> rows = {1000, 100, 4};
  const std::vector<double> weights = {0.5, 4, 50};
  EXPECT_EQ(comparison_costs(weights, rows, 1.5, 1), (std::vector<double>{1.5, 6, 75}));
  EXPECT_EQ(comparison_costs(weights, rows, 1.5, 0.01), (std::vector<double>{1.5, 4, 2}));
}

/// What is chosen if the lists of the first price say the second class, those of another the first.
std::uint32_t class_of_chosen_price(std::uint64_t of_first_class, std::uint64_t of_second) {
  ListSearch search;
  search.judge = {.folds = 2, .weights = {1, 1}, .costs = {{0, 0}, {0, 0}}};
  for (const std::uint32_t price : {0U, 1U}) {
    search.parts.insert(search.parts.end(), {{0, price}, {1, price}, {{}, price}});
  }
  RuleSetResults results(search);
  for (std::size_t p = 0; p < search.parts.size(); ++p) {
    SampledList list;
    list.default_class = search.parts[p].price == 0 ? 1 : 0;
    const std::vector<std::uint64_t> decided = {of_first_class, of_second, of_first_class,
                                                of_second};
    list.decided = {decided, 2, 2};
    results.offer(p, list);
  }
  const ListFront front = results.front();
  return front.rows[front.chosen].list.default_class;
}

TEST(RuleSetResults, TakeAnotherPriceIfTheFirstIsMoreThanHardlyWorse) {
  EXPECT_EQ(class_of_chosen_price(52, 48), 0U);     // of 200 rows: a standard error of 3.5%
  EXPECT_EQ(class_of_chosen_price(1005, 995), 0U);  // of 4,000: 0.8%, and 0.5% is gained
  EXPECT_EQ(class_of_chosen_price(501, 499), 1U);   // of 2,000: 1.1%, and 0.2%
  EXPECT_EQ(class_of_chosen_price(40, 60), 1U);
}

TEST(ListCovering, BeginsWithTheLargestClassOrADrawnOne) {
  const Dataset data = listed_table(300);
  const ClassSample sample(data, 4, {});
  const auto rows = sample.class_rows();
  GrowthSettings settings;
  settings.weights = class_weights(rows, 1);
  const auto largest =
      static_cast<std::uint32_t>(std::max_element(rows.begin(), rows.end()) - rows.begin());
  const auto first_class = [&](std::optional<double> drawn) {
    return ListCovering(sample, settings, 3, {}, true, drawn).lists().front().default_class;
  };
  EXPECT_EQ(first_class({}), largest);
  // All classes weigh the same.
  EXPECT_EQ(first_class(0.1), 0U);
  EXPECT_EQ(first_class(0.5), 1U);
  EXPECT_EQ(first_class(0.9), 2U);
}

TEST(ListCovering, TriesAgainWhereNothingGainsAndEndsAtLast) {
  const Dataset data = listed_table(300);
  const ClassSample sample(data, 4, {});
  GrowthSettings settings;
  settings.weights = class_weights(sample.class_rows(), 0);
  ListCovering covering(sample, settings, 3, {}, true, {});
  const DrawKey key{1, 0, 0, 0, Purpose::initialise};
  std::vector<double> drawn;
  for (std::uint32_t failures = 0; failures < ListCovering::most_failures; ++failures) {
    ASSERT_FALSE(covering.done());
    std::vector<GrowthTask> tasks;
    covering.ask(tasks, key);
    ASSERT_EQ(tasks.size(), ListCovering::attempts);
    for (const GrowthTask& task : tasks) {
      EXPECT_EQ(task.counted, CountedRows::pure);
      drawn.push_back(task.drawn);
    }
    std::vector<std::optional<Grown>> nothing(tasks.size());
    covering.take(nothing);
  }
  EXPECT_TRUE(covering.done());
  std::sort(drawn.begin(), drawn.end());
  EXPECT_EQ(std::adjacent_find(drawn.begin(), drawn.end()), drawn.end()) << "drawn anew";
}

TEST(RuleSetSearch, BeginsWithDerivedListsAndThoseOfTreesAndCovering) {
  const Dataset data = listed_table(700);
  ThreadPool pool(1);
  const auto resident = make_cpu_device(pool)->load(data);
  const Experiment its = experiment();
  RuleSetSearch search(its, *resident);
  const std::vector<std::uint32_t> numbers = {0};
  const auto islands = search.islands(numbers);
  PhaseTimes spent;
  while (islands[0]->advance(spent) != Step::done) continue;
  // Of three islands each has one of the inner folds, beside all rows. A covering goes through at
  // most seven lists, as lists have at most six rules, and a tree has at most 14 leaves.
  EXPECT_GT(islands[0]->summary().evaluated, 2 * (its.population + 3 + 2));
  EXPECT_LE(islands[0]->summary().evaluated, 2 * (its.population + 3 * 7 + 2 * 13));
}

}  // namespace
}  // namespace atl
