// Lists of derived rules.
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "islands/rule_sets/list_deriver.hpp"
#include "islands/rule_sets/list_fitness.hpp"
#include "tests/islands/listed_table.hpp"

namespace atl {
namespace {

/// Is there a row of the class among the first ones?
bool holds_on_one(std::span<const Comparison> conjunction, std::uint32_t label, const Dataset& data,
                  std::uint64_t rows) {
  for (std::uint64_t row = 0; row < rows; ++row) {
    if (data.code(row, 4) == label &&
        std::all_of(conjunction.begin(), conjunction.end(), [&](const Comparison& its) {
          return takes(its, data.code(row, its.attribute));
        })) {
      return true;
    }
  }
  return false;
}

TEST(ListDeriver, MakesRulesThatHoldOnRowsOfTheirClassInThePart) {
  const Dataset data = listed_table(300);
  std::vector<std::uint8_t> folds(300, 1);
  std::fill_n(folds.begin(), 200, 0);
  const ClassSample sample(
      data, 4, {.usable = {true, true, false, true, true}, .folds = folds, .fold_count = 2});
  GrowthSettings settings;
  settings.weights = class_weights(sample.class_rows(), 0);
  settings.most_comparisons = 3;
  const ListDeriver deriver(data, sample, settings, 5, 2);
  RandomStream stream({1, 0, 0, 0, Purpose::test});
  std::vector<std::size_t> lists(6, 0), alternatives_of(3, 0);
  for (int i = 0; i < 200; ++i) {
    const SampledList list = deriver.derive({.without = 1}, stream);
    ASSERT_LE(list.rules.size(), 5U);
    ++lists[list.rules.size()];
    for (const SharedRule& rule : list.rules) {
      const auto conjunctions = alternatives(rule->rule().antecedent);
      ASSERT_TRUE(conjunctions.size() == 1 || conjunctions.size() == 2);
      ++alternatives_of[conjunctions.size()];
      for (const auto conjunction : conjunctions) {
        EXPECT_LE(conjunction.size(), 3U);
        EXPECT_TRUE(holds_on_one(conjunction, rule->rule().label, data, 200));
      }
    }
    EXPECT_FALSE(names(list.list(), 2)) << "not usable";
    EXPECT_FALSE(names(list.list(), 4)) << "the class";
  }
  EXPECT_EQ(lists[0], 0U);
  for (std::size_t rules = 1; rules <= 5; ++rules) EXPECT_GT(lists[rules], 20U) << rules;
  EXPECT_GT(alternatives_of[1], 100U);
  EXPECT_GT(alternatives_of[2], 100U);
}

TEST(ListDeriver, MakesListsWithoutRulesWhereThereIsNothingToSay) {
  const Dataset data = listed_table(50);
  const ClassSample sample(data, 4, {.usable = {false, false, false, false, true}});
  GrowthSettings settings;
  settings.weights = class_weights(sample.class_rows(), 0);
  const ListDeriver deriver(data, sample, settings, 5, 1);
  RandomStream stream({1, 0, 0, 0, Purpose::test});
  EXPECT_TRUE(deriver.derive({}, stream).rules.empty());
}

}  // namespace
}  // namespace atl
