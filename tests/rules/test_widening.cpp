#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "src/rules/measures.hpp"
#include "src/rules/widening.hpp"

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

std::vector<Expression> widened(std::vector<Comparison> antecedent) {
  const auto described = attributes();
  std::vector<Rule> rules;
  const Rule rule{Expression::conjunction(antecedent), Expression::of({2, 0, 0, false})};
  Widening(described).widen(rule, rules);
  std::vector<Expression> antecedents;
  for (const Rule& r : rules) {
    EXPECT_EQ(r.consequent, rule.consequent);
    antecedents.push_back(r.antecedent);
  }
  return antecedents;
}

using Antecedents = std::vector<Expression>;

TEST(Widening, MovesOneBoundUntilTheRowsAreTwiceAsMany) {
  EXPECT_EQ(widened({{0, 3, 5, false}}),
            (Antecedents{Expression::of({0, 0, 5, false}), Expression::of({0, 3, 8, false})}));
  EXPECT_EQ(widened({{0, 5, 6, false}}),
            (Antecedents{Expression::of({0, 3, 6, false}), Expression::of({0, 5, 8, false})}));
  EXPECT_EQ(widened({{0, 0, 2, false}}), (Antecedents{Expression::of({0, 0, 5, false})}));
  EXPECT_EQ(widened({{0, 8, 9, false}}), (Antecedents{Expression::of({0, 6, 9, false})}));
}

TEST(Widening, MovesAtLeastOneCode) {
  EXPECT_EQ(widened({{1, 1, 2, false}}),
            (Antecedents{Expression::of({1, 0, 2, false}), Expression::of({1, 1, 3, false})}));
}

TEST(Widening, LeavesOutWhatTwiceTheRowsWouldBeAll) {
  EXPECT_EQ(widened({{0, 0, 4, false}}), (Antecedents{Expression()}));
  EXPECT_EQ(widened({{0, 0, 8, false}}), (Antecedents{Expression()}));
}

TEST(Widening, LeavesOutLabelsAndNegations) {
  EXPECT_EQ(widened({{0, 0, 2, false}, {2, 1, 1, false}}),
            (Antecedents{Expression::conjunction(
                             std::vector<Comparison>{{0, 0, 5, false}, {2, 1, 1, false}}),
                         Expression::of({0, 0, 2, false})}));
  EXPECT_EQ(widened({{0, 4, 4, true}}), (Antecedents{Expression()}));
}

TEST(Widening, NotesTheOneThatContrastsLeast) {
  ContingencyTable table{100, 10, 30, 9};
  std::vector<RuleCounts> counts(3);
  counts[0].table = {100, 20, 30, 12};
  counts[1].table = {100, 40, 30, 26};
  counts[2].table = {100, 80, 30, 30};
  note_nearest(table, counts);
  EXPECT_EQ(table.n_wider_antecedent, 40U);
  EXPECT_EQ(table.n_wider_both, 26U);
  // (0.9 - 17/30 - 2 sqrt(0.65 0.35 (1/10 + 1/30))) / sqrt(0.3 0.7), by hand
  EXPECT_NEAR(evaluate(Measure::contrast, table), -0.03272398261278389, 1e-12);
  counts.resize(4);
  counts[3].table = {100, 10, 30, 9};
  note_nearest(table, counts);
  EXPECT_EQ(table.n_wider_antecedent, 10U);
  // nothing beyond: (-2 sqrt(0.9 0.1 (1/10 + 1))) / sqrt(0.3 0.7)
  EXPECT_NEAR(evaluate(Measure::contrast, table), -1.3732131246511905, 1e-12);
  note_nearest(table, {});
  EXPECT_TRUE(std::isnan(evaluate(Measure::contrast, table)));
}

}  // namespace
}  // namespace atl
