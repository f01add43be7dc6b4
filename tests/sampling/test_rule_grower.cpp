#include <gtest/gtest.h>

#include "src/data/bit_planes.hpp"
#include "src/sampling/rule_grower.hpp"

namespace atl {
namespace {

TEST(RuleGrower, AddIntersectsRangesAndPrefersALabel) {
  std::vector<Attribute> attributes(2);
  attributes[0].low.resize(10);
  attributes[1].kind = AttributeKind::nominal;
  attributes[1].labels.resize(4);
  std::vector<Comparison> conjunction;
  EXPECT_TRUE(add(conjunction, {0, 0, 7, false}, attributes));
  EXPECT_TRUE(add(conjunction, {0, 3, 9, false}, attributes));
  EXPECT_EQ(conjunction, (std::vector<Comparison>{{0, 3, 7, false}}));
  EXPECT_FALSE(add(conjunction, {0, 8, 9, false}, attributes));
  EXPECT_TRUE(add(conjunction, {1, 2, 2, true}, attributes));
  EXPECT_TRUE(add(conjunction, {1, 3, 3, true}, attributes));
  EXPECT_EQ(conjunction.size(), 3U);
  EXPECT_TRUE(add(conjunction, {1, 1, 1, false}, attributes));
  EXPECT_EQ(conjunction, (std::vector<Comparison>{{0, 3, 7, false}, {1, 1, 1, false}}));
}

TEST(RuleGrower, DrawsAClassByItsWeight) {
  const double weights[] = {0, 2, 0, 6};
  EXPECT_EQ(drawn_class(weights, 4, 0), 1U);
  EXPECT_EQ(drawn_class(weights, 4, 0.24), 1U);
  EXPECT_EQ(drawn_class(weights, 4, 0.26), 3U);
  EXPECT_EQ(drawn_class(weights, 4, 1 - 1e-16), 3U);
  EXPECT_EQ(drawn_class(weights, 1, 0.5), 1U) << "none";
}

TEST(RuleGrower, OfFewRowsHalfHaveToBeGained) {
  Attribute label;
  label.name = "class";
  label.kind = AttributeKind::nominal;
  label.labels = {"a", "b", "c", "d"};
  const Dataset data = make_dataset({label}, {{0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 3}});
  const ClassSample sample(data, 0, {});
  GrowthSettings settings;
  settings.weights = {1, 10, 1, 1};
  settings.least_rows = 2;
  EXPECT_EQ(least_in_window(sample, settings), (std::vector<double>{1, 10, 1.5, 2}));
}

}  // namespace
}  // namespace atl
