// By hand: what counts of a list of two rules and three classes say.
#include <vector>

#include <gtest/gtest.h>

#include "src/eval/rule_set_scorer.hpp"

namespace atl {
namespace {

// Ten rows: 5 of class 0, 3 of class 1, 2 of class 2.
const RuleSet list{{{Expression::of({0, 0, 0, false}), 0}, {Expression::of({1, 0, 0, false}), 1}},
                   2};
const RuleSetCounts counts{{4, 1, 0, 3, 2, 1}, {4, 1, 0, 1, 2, 1, 0, 0, 1}};

TEST(RuleSetMeasures, OfARuleAlone) {
  EXPECT_EQ(confusion_of(counts, 0, 0), (RuleConfusion{4, 1, 4, 1}));
  EXPECT_EQ(confusion_of(counts, 1, 1), (RuleConfusion{2, 4, 3, 1}));
}

TEST(RuleSetMeasures, OfTheList) {
  const ConfusionMatrix matrix = confusion_matrix(list, counts);
  const std::vector<std::uint64_t> expected = {4, 1, 0, 1, 2, 0, 0, 1, 1};
  for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(matrix.at(i / 3, i % 3), expected[i]) << i;
  EXPECT_DOUBLE_EQ(accuracy(matrix), 0.7);
}

}  // namespace
}  // namespace atl
