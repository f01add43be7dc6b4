// How lists are judged, kept and drawn.
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "islands/rule_sets/list_fitness.hpp"
#include "islands/rule_sets/rule_set_results.hpp"
#include "tests/islands/rule_sets/scored_list.hpp"

namespace atl {
namespace {

TEST(ListSearch, DealsInnerFoldsToIslands) {
  ListSearch search;
  search.judge.folds = 3;
  search.parts = {{0, 0}, {1, 0}, {2, 0}, {{}, 0}};
  const auto parts_of = [&](std::uint32_t islands, std::uint32_t island) {
    search.islands = islands;
    std::vector<std::size_t> parts;
    for (std::size_t p = 0; p < 4; ++p)
      if (search.has(island, p)) parts.push_back(p);
    return parts;
  };
  using Parts = std::vector<std::size_t>;
  EXPECT_EQ(parts_of(1, 0), (Parts{0, 1, 2, 3}));
  EXPECT_EQ(parts_of(2, 0), (Parts{0, 2, 3}));
  EXPECT_EQ(parts_of(2, 1), (Parts{1, 3}));
  EXPECT_EQ(parts_of(4, 3), (Parts{0, 3}));
  EXPECT_EQ(parts_of(4, 1), (Parts{1, 3}));
}

/// A list that nobody asks but for its size and fitness.
SampledList fit_list(std::size_t rules, double fitness) {
  SampledList made = scored(std::vector<std::uint32_t>(rules, 0), 0,
                            std::vector<std::uint64_t>(2 * (rules + 1), 1));
  made.fitness = fitness;
  return made;
}

TEST(BatchRoom, IsForSoManyCountsOrOneList) {
  BatchRoom room(1 << 10);  // for 512 rules, defaults included
  EXPECT_TRUE(room.take(300));
  EXPECT_FALSE(room.take(211));
  EXPECT_TRUE(room.take(210));
  EXPECT_FALSE(room.take(0));
  BatchRoom other(1 << 10);
  EXPECT_TRUE(other.take(1000)) << "it is the first";
  EXPECT_FALSE(other.take(0));
}

TEST(DecidedRows, AreThoseOfDenseCounts) {
  // [rules + 1][folds][classes]
  const std::vector<std::uint64_t> counts = {0, 5, 1, 0, 0, 0,
                                             0, 0, 2, 0, 0, std::uint64_t{1} << 33};
  DecidedRows rows(counts, 2, 2);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows.of(0).size(), 2U);
  EXPECT_EQ(rows.of(0)[1].place, 2U) << "class 1, fold 0";
  EXPECT_TRUE(rows.of(1).empty());
  EXPECT_EQ(rows.rows(), 8 + (std::uint64_t{1} << 33));
  ByteWriter out;
  rows.save(out);
  DecidedRows read;
  ByteReader in(out.bytes());
  read.load(in, 4);
  EXPECT_EQ(read, rows);
  ByteReader again(out.bytes());
  EXPECT_THROW(read.load(again, 3), BadBytes);
  rows.erase(1);
  rows.join_last();
  const std::vector<std::uint64_t> joined = {2, 5, 1, std::uint64_t{1} << 33};
  EXPECT_EQ(rows, DecidedRows(joined, 2, 2));
}

TEST(SizeNiches, PickAmongSizesThatAreFitterThanAllShorterOnes) {
  SizeNiches niches(4, 2);
  for (const auto& [rules, fitness] :
       std::vector<std::pair<std::size_t, double>>{{0, 3}, {1, 5}, {2, 5}, {3, 4}, {4, 6}}) {
    niches.offer(fit_list(rules, fitness));
  }
  std::vector<int> picked(5, 0);
  RandomStream stream({1, 0, 0, 0, Purpose::test});
  for (int i = 0; i < 300; ++i) ++picked[niches.pick(stream).rules.size()];
  for (const std::size_t rules : {0U, 1U, 4U}) EXPECT_GT(picked[rules], 60) << rules;
  EXPECT_EQ(picked[2] + picked[3], 0);
}

TEST(ListFitness, OfProbabilitiesIsTheirLogLikelihood) {
  ListJudge judge{
      .goal = ListGoal::probabilities, .folds = 2, .weights = {1, 1}, .costs = {{0.5, 1}}};
  // [rules + 1][folds][classes], of a rule of the first class and a default of the second
  const std::vector<std::uint64_t> decided = {5, 1, 2, 2, 1, 3, 0, 6};
  SampledList list = scored({0}, 1, decided);
  list.comparisons = 0;
  const Part part{.without = 1};
  settle(list, judge, part);
  const double first = (1 + 5.0 + 1) / (10 + 2), second = (1 + 1.0 + 3) / (10 + 2);
  const auto p = [](double rows, double all, double share) {
    return std::log((rows + 10 * share) / (all + 10));
  };
  const double own = 5 * p(5, 6, first) + p(1, 6, second) + p(1, 4, first) + 3 * p(3, 4, second);
  const std::size_t comparisons = list.comparisons;
  EXPECT_NEAR(list.fitness, own - 0.5 * static_cast<double>(comparisons), 1e-12);
  EXPECT_DOUBLE_EQ(correct_of(list, judge, part).right, 8);
  const RowSums unseen = unseen_sums(list, judge, part);
  const double others = 2 * p(5, 6, first) + 2 * p(1, 6, second) + 6 * p(3, 4, second);
  EXPECT_NEAR(unseen.sum, others, 1e-12);
  EXPECT_DOUBLE_EQ(unseen.weight, 10);
  const double squares = 2 * std::pow(p(5, 6, first), 2) + 2 * std::pow(p(1, 6, second), 2) +
                         6 * std::pow(p(3, 4, second), 2);
  EXPECT_NEAR(unseen.variance(), squares / 10 - std::pow(others / 10, 2), 1e-12);
}

TEST(ListFitness, ProbabilitiesKeepRulesThatSayTheDefault) {
  ListJudge judge{.folds = 1, .weights = {1, 1}, .costs = {{0, 0}}};
  SampledList list = scored({1}, 1, {1, 5, 3, 4});
  settle(list, judge, {});
  EXPECT_TRUE(list.rules.empty());
  judge.goal = ListGoal::probabilities;
  list = scored({1}, 1, {1, 5, 3, 4});
  settle(list, judge, {});
  EXPECT_EQ(list.rules.size(), 1U);
}

TEST(SizeNiches, KeepTheBestOfEachSize) {
  SizeNiches niches(2, 2);
  const auto list = fit_list;
  EXPECT_EQ(niches.offer(list(1, 5)), 0U);
  EXPECT_EQ(niches.offer(list(1, 7)), 0U);
  EXPECT_EQ(niches.offer(list(1, 5)), std::nullopt) << "as fit as another";
  EXPECT_EQ(niches.offer(list(1, 6)), 1U);
  EXPECT_EQ(niches.offer(list(1, 4)), std::nullopt) << "worse than all";
  EXPECT_EQ(niches.offer(list(0, 1)), 0U);
  EXPECT_EQ(niches.offer(list(2, 1)), 3U);
  EXPECT_EQ(niches.offer(list(3, 9)), std::nullopt) << "too long";
  EXPECT_EQ(niches.size(), 4U);
  EXPECT_EQ(niches.of_size(1)[1].fitness, 6);
}

}  // namespace
}  // namespace atl
