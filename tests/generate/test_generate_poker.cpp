#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/generate/poker.hpp"

namespace atl {
namespace {

constexpr std::array<std::uint64_t, 10> hands_of_class = {1302540, 1098240, 123552, 54912, 10200,
                                                          5108,    3744,    624,    36,    4};

Card card(std::uint32_t number) {
  return {number / 13, number % 13};
}

/// Goes on to the next set of five cards, by number; false after the last one.
bool next_hand(std::array<std::uint32_t, 5>& hand) {
  std::size_t i = 5;
  while (i > 0 && hand[i - 1] == 52 - 5 + (i - 1)) --i;
  if (i == 0) return false;
  ++hand[i - 1];
  for (; i < 5; ++i) hand[i] = hand[i - 1] + 1;
  return true;
}

TEST(Poker, ClassesOfAllHandsHaveTheKnownCounts) {
  std::array<std::uint64_t, 10> counts{};
  std::array<std::uint32_t, 5> hand = {0, 1, 2, 3, 4};
  do {
    const auto [a, b, c, d, e] = hand;
    ++counts[poker_class({card(a), card(b), card(c), card(d), card(e)})];
  } while (next_hand(hand));
  EXPECT_EQ(counts, hands_of_class);
}

TEST(Poker, CardsAreDifferentAndUniformAtEveryPosition) {
  const PokerSource source(7);
  constexpr std::uint64_t rows = 200'000;
  std::array<std::array<std::uint64_t, 52>, 5> seen{};
  std::array<std::uint64_t, 10> classes{};
  std::vector<std::uint32_t> codes(11);
  for (std::uint64_t row = 0; row < rows; ++row) {
    source.make_row(row, codes);
    std::set<std::uint32_t> hand;
    for (std::size_t i = 0; i < 5; ++i) {
      const std::uint32_t number = codes[2 * i] * 13 + codes[2 * i + 1];
      hand.insert(number);
      ++seen[i].at(number);
    }
    ASSERT_EQ(hand.size(), 5U) << row;
    ++classes.at(codes[10]);
  }
  // Chi-squared with 51 degrees of freedom exceeds 108 with probability 5e-6.
  for (const auto& position : seen) {
    double chi_squared = 0;
    for (const std::uint64_t count : position) {
      const double expected = rows / 52.0;
      const double difference = static_cast<double>(count) - expected;
      chi_squared += difference * difference / expected;
    }
    EXPECT_LT(chi_squared, 108);
  }
  // Within five standard deviations of the exact probabilities, which the rare classes' Poisson
  // tails stay within too.
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const double expected = static_cast<double>(rows * hands_of_class[c]) / 2598960;
    const double difference = static_cast<double>(classes[c]) - expected;
    EXPECT_LT(difference * difference, 25 * std::max(expected, 1.0)) << c;
  }
}

TEST(Poker, RowsDependOnSeedAndIndexAlone) {
  std::vector<std::uint32_t> first(11);
  std::vector<std::uint32_t> again(11);
  PokerSource(1).make_row(5'000'000'000, first);
  PokerSource(1).make_row(5'000'000'000, again);
  EXPECT_EQ(first, again);
  PokerSource(1).make_row(5'000'000'000 - (std::uint64_t{1} << 32), again);
  EXPECT_NE(first, again);
  PokerSource(2).make_row(5'000'000'000, again);
  EXPECT_NE(first, again);
}

TEST(Poker, AgreesWithTheClassesOfTheUciTable) {
  const char* data = std::getenv("ATOLL_DATA");
  if (data == nullptr || *data == '\0')
    GTEST_SKIP() << "ATOLL_DATA is not set: the UCI table is not checked";
  const std::string command =
      "xz -dc '" + std::string(data) + "/poker-hand-train25010.csv.xz' | tail -n +2";
  std::FILE* table = popen(command.c_str(), "r");
  ASSERT_NE(table, nullptr);
  int rows = 0;
  int differences = 0;
  std::array<unsigned, 11> v{};
  while (std::fscanf(table, "%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u", &v[0], &v[1], &v[2], &v[3], &v[4],
                     &v[5], &v[6], &v[7], &v[8], &v[9], &v[10]) == 11) {
    Hand hand;
    for (std::size_t i = 0; i < 5; ++i) hand[i] = {v[2 * i] - 1, v[2 * i + 1] - 1};
    differences += poker_class(hand) != v[10];
    ++rows;
  }
  EXPECT_EQ(pclose(table), 0);
  EXPECT_EQ(rows, 25010);
  EXPECT_EQ(differences, 0);
}

}  // namespace
}  // namespace atl
