// By hand: what counts of a list of two rules and three classes say.
#include <gtest/gtest.h>

#include "src/eval/rule_set_measures.hpp"

namespace atl {
namespace {

// Ten rows: 5 of class 0, 3 of class 1, 2 of class 2.
const RuleSet list{{{Expression::of({0, 0, 0, false}), 0}, {Expression::of({1, 0, 0, false}), 1}},
                   2};
const RuleSetCounts counts{{4, 1, 0, 3, 2, 1}, {4, 1, 0, 1, 2, 1, 0, 0, 1}};

TEST(RuleSetMeasures, OfARuleAlone) {
  EXPECT_EQ(confusion_of(counts, 0, 0), (RuleConfusion{4, 1, 4, 1}));
  EXPECT_EQ(confusion_of(counts, 1, 1), (RuleConfusion{2, 4, 3, 1}));
  EXPECT_DOUBLE_EQ(sensitivity_times_specificity({4, 1, 4, 1}), 0.8 * 0.8);
  EXPECT_EQ(sensitivity_times_specificity({0, 3, 7, 0}), 0);
  EXPECT_EQ(sensitivity_times_specificity({5, 0, 0, 0}), 0);
}

TEST(RuleSetMeasures, OfTheList) {
  EXPECT_EQ(confusion_matrix(counts, list),
            (std::vector<std::uint64_t>{4, 1, 0, 1, 2, 0, 0, 1, 1}));
  EXPECT_DOUBLE_EQ(accuracy(counts, list), 0.7);
  EXPECT_EQ(accuracy({{}, {0, 0}}, {{}, 1}), 0);
}

}  // namespace
}  // namespace atl
