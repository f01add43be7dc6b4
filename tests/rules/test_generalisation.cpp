#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "src/measures/measures.hpp"
#include "src/rules/generalisation.hpp"

namespace atl {
namespace {

// x: 10 codes of 10 rows each; y: codes of 1, 1, 2, 4 rows; c: labels.
std::vector<Attribute> attributes() {
  std::vector<Attribute> made(3);
  made[0].low = made[0].high = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  made[0].counts.assign(10, 10);
  made[1].low = made[1].high = {0, 1, 2, 3};
  made[1].counts = {1, 1, 2, 4};
  made[2].kind = AttributeKind::nominal;
  made[2].labels = {"a", "b", "c"};
  made[2].counts = {1, 1, 1};
  return made;
}

std::vector<Expression> generalised(std::vector<Comparison> antecedent) {
  const auto described = attributes();
  std::vector<Rule> rules;
  const Rule rule{Expression::conjunction(antecedent), Expression::of({2, 0, 0, false})};
  Generalisation(described).generalise(rule, rules);
  std::vector<Expression> antecedents;
  for (const Rule& r : rules) {
    EXPECT_EQ(r.consequent, rule.consequent);
    antecedents.push_back(r.antecedent);
  }
  return antecedents;
}

using Antecedents = std::vector<Expression>;

TEST(Generalisation, MovesOneBoundUntilTheRowsAreTwiceAsMany) {
  EXPECT_EQ(generalised({{0, 3, 5, false}}),
            (Antecedents{Expression::of({0, 0, 5, false}), Expression::of({0, 3, 8, false})}));
  EXPECT_EQ(generalised({{0, 5, 6, false}}),
            (Antecedents{Expression::of({0, 3, 6, false}), Expression::of({0, 5, 8, false})}));
  EXPECT_EQ(generalised({{0, 0, 2, false}}), (Antecedents{Expression::of({0, 0, 5, false})}));
  EXPECT_EQ(generalised({{0, 8, 9, false}}), (Antecedents{Expression::of({0, 6, 9, false})}));
}

TEST(Generalisation, MovesAtLeastOneCode) {
  EXPECT_EQ(generalised({{1, 1, 2, false}}),
            (Antecedents{Expression::of({1, 0, 2, false}), Expression::of({1, 1, 3, false})}));
}

TEST(Generalisation, LeavesOutWhatTwiceTheRowsWouldBeAll) {
  EXPECT_EQ(generalised({{0, 0, 4, false}}), (Antecedents{Expression()}));
  EXPECT_EQ(generalised({{0, 0, 8, false}}), (Antecedents{Expression()}));
}

TEST(Generalisation, LeavesOutLabelsAndNegations) {
  EXPECT_EQ(generalised({{0, 0, 2, false}, {2, 1, 1, false}}),
            (Antecedents{Expression::conjunction(
                             std::vector<Comparison>{{0, 0, 5, false}, {2, 1, 1, false}}),
                         Expression::of({0, 0, 2, false})}));
  EXPECT_EQ(generalised({{0, 4, 4, true}}), (Antecedents{Expression()}));
}

TEST(Generalisation, NotesTheOneThatContrastsLeast) {
  ContingencyTable table{100, 10, 30, 9};
  std::vector<RuleStatistics> counts(3);
  counts[0].table = {100, 20, 30, 12};
  counts[1].table = {100, 40, 30, 26};
  counts[2].table = {100, 80, 30, 30};
  note_nearest(table, counts);
  EXPECT_EQ(table.n_general_antecedent, 40U);
  EXPECT_EQ(table.n_general_both, 26U);
  // (c - m - 2 sqrt(c (1 - c) / 12 + m (1 - m) / 32)) / sqrt(0.3 0.7), c = 10/12, m = 18/32
  EXPECT_NEAR(evaluate(Measure::contrast, table), -0.014751357753981204, 1e-12);
  counts.resize(4);
  counts[3].table = {100, 10, 30, 9};
  note_nearest(table, counts);
  EXPECT_EQ(table.n_general_antecedent, 10U);
  // nothing beyond counts as one row, 0.9 of it of the consequent: m = 1.9/3
  EXPECT_NEAR(evaluate(Measure::contrast, table), -0.8654418487820199, 1e-12);
  note_nearest(table, {});
  EXPECT_TRUE(std::isnan(evaluate(Measure::contrast, table)));
}

TEST(Contrast, IsSmallOfNearlyAllRowsAndOfFew) {
  // 815 of 900, and the rest have 85 of 100: no more beyond all than 0.9056 - 0.9
  ContingencyTable most{1000, 900, 900, 815};
  most.n_general_antecedent = 1000;
  most.n_general_both = 900;
  EXPECT_LT(evaluate(Measure::contrast, most), 0);
  most = {1000, 900, 900, 890};
  most.n_general_antecedent = 1000;
  most.n_general_both = 900;
  EXPECT_NEAR(evaluate(Measure::contrast, most), (890.0 / 900 - 0.9) / 0.3, 1e-12);
  // One row, where another 220 have none: without adjustment 15.
  ContingencyTable few{1000, 1, 4, 1};
  few.n_general_antecedent = 221;
  few.n_general_both = 1;
  EXPECT_LT(evaluate(Measure::contrast, few), 2);
}

}  // namespace
}  // namespace atl
