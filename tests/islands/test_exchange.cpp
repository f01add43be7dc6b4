#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "islands/exchange.hpp"
#include "islands/population.hpp"
#include "tests/islands/planted_table.hpp"

namespace atl::test {
namespace {

RandomStream stream(std::uint32_t slot = 0) {
  return RandomStream({3, 0, 0, slot, Purpose::test});
}
bool ascending(std::size_t a, std::size_t b) {
  return a < b;
}

TEST(ChooseEmigrants, BestAreTheFirstOfTheOrder) {
  auto draw = stream();
  const auto reversed = [](std::size_t a, std::size_t b) { return a > b; };
  EXPECT_EQ(choose_emigrants(5, 3, EmigrantChoice::best, draw, reversed),
            (std::vector<std::size_t>{4, 3, 2}));
  EXPECT_EQ(choose_emigrants(2, 9, EmigrantChoice::best, draw, ascending),
            (std::vector<std::size_t>{0, 1}));
}

TEST(ChooseEmigrants, DrawnAreDifferentAndTournamentsFavourTheBetter) {
  double random_sum = 0;
  double tournament_sum = 0;
  constexpr std::uint32_t draws = 400;
  for (std::uint32_t i = 0; i < draws; ++i) {
    for (const auto choice : {EmigrantChoice::random, EmigrantChoice::tournament}) {
      auto draw = stream(i);
      const auto chosen = choose_emigrants(100, 4, choice, draw, ascending);
      ASSERT_EQ(std::set(chosen.begin(), chosen.end()).size(), 4U);
      for (const std::size_t slot : chosen) {
        ASSERT_LT(slot, 100U);
        (choice == EmigrantChoice::random ? random_sum : tournament_sum) +=
            static_cast<double>(slot);
      }
    }
  }
  EXPECT_NEAR(random_sum / draws / 4, 49.5, 3);
  EXPECT_NEAR(tournament_sum / draws / 4, 33, 3);  // a third, of the smaller of two
  auto draw = stream();
  EXPECT_EQ(choose_emigrants(3, 9, EmigrantChoice::random, draw, ascending).size(), 3U);
}

TEST(EraseSlots, KeepsTheOrderOfTheOthers) {
  std::vector<Individual> population(5);
  for (std::uint32_t i = 0; i < 5; ++i) population[i].parent = i;
  erase_slots(population, std::vector<std::size_t>{0, 3});
  ASSERT_EQ(population.size(), 3U);
  EXPECT_EQ(population[0].parent, 1U);
  EXPECT_EQ(population[1].parent, 2U);
  EXPECT_EQ(population[2].parent, 4U);
}

TEST(RuleSimilarity, IsTheShareOfComparisonsInCommon) {
  const auto rule = [](std::vector<Comparison> antecedent, Comparison consequent) {
    return Rule{Expression::conjunction(antecedent), Expression::of(consequent)};
  };
  const Comparison a{0, 1, 2, false}, b{1, 1, 2, false}, c{2, 0, 0, false}, other_a{0, 3, 4, false};
  EXPECT_EQ(rule_similarity(rule({a, b}, c), rule({a, b}, c)), 1);
  EXPECT_EQ(rule_similarity(rule({a}, c), rule({b}, {3, 0, 0, false})), 0);
  EXPECT_EQ(rule_similarity(rule({a}, c), rule({other_a}, c)), 0.75);
  EXPECT_EQ(rule_similarity(rule({a, b}, c), rule({a}, c)), 0.8);
  EXPECT_EQ(rule_similarity(rule({a}, b), rule({b}, a)), 0) << "sides differ";
}

TEST(Residents, GiveUpEachPlaceOnce) {
  const auto alike = [](std::size_t slot) { return slot % 4 == 1 ? 1.0 : 0.5; };
  const auto places = [&](Replacement replacement) {
    Residents residents(6);
    auto draw = stream();
    std::vector<std::size_t> taken;
    while (const auto place = residents.place_of(
               replacement, draw, [](std::size_t a, std::size_t b) { return a > b; }, alike)) {
      taken.push_back(*place);
      residents.leave(*place);
    }
    return taken;
  };
  EXPECT_EQ(places(Replacement::worst), (std::vector<std::size_t>{5, 4, 3, 2, 1, 0}));
  EXPECT_EQ(places(Replacement::similar), (std::vector<std::size_t>{5, 1, 4, 3, 2, 0}));
  auto any = places(Replacement::random);
  EXPECT_NE(any, places(Replacement::worst));
  std::sort(any.begin(), any.end());
  EXPECT_EQ(any, (std::vector<std::size_t>{0, 1, 2, 3, 4, 5}));
}

}  // namespace
}  // namespace atl::test
