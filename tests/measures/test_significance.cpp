// Adjusted p-values and productivity.
#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "src/core/portable_math.hpp"
#include "src/measures/measures.hpp"
#include "src/measures/significance.hpp"
#include "src/rules/generalisation.hpp"
#include "src/rules/rule_text.hpp"
#include "tests/rules/table.hpp"

namespace atl::test {
namespace {

void expect_near(const std::vector<double>& actual, const std::vector<double>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) EXPECT_NEAR(actual[i], expected[i], 1e-15) << i;
}

// Figures of R 4.2.2, p.adjust(), and statsmodels 0.15.0, multipletests().
TEST(MultipleTesting, AgreesWithRAndStatsmodels) {
  const std::vector<double> p = {0.01, 0.04, 0.03, 0.005, 0.2, 0.03, 1, 0.0001};
  expect_near(holm(p), {0.06, 0.15, 0.15, 0.035, 0.4, 0.15, 1, 0.0008});
  expect_near(benjamini_hochberg(p), {0.0266666666666666649, 0.0533333333333333298, 0.048, 0.02,
                                      0.228571428571428564, 0.048, 1, 0.0008});
}

TEST(MultipleTesting, AdjustsNothingOneOrEqualOnes) {
  EXPECT_TRUE(holm({}).empty());
  EXPECT_TRUE(benjamini_hochberg({}).empty());
  const std::vector<double> one = {0.03};
  EXPECT_EQ(holm(one), one);
  EXPECT_EQ(benjamini_hochberg(one), one);
  const std::vector<double> equal(4, 0.01);
  expect_near(holm(equal), {0.04, 0.04, 0.04, 0.04});
  expect_near(benjamini_hochberg(equal), equal);
  const std::vector<double> zeros(3, 0);
  EXPECT_EQ(holm(zeros), zeros);
}

std::vector<Attribute> columns() {
  return {numeric("x", {1, 2, 3, 4, 5}),
          labelled("colour", AttributeKind::nominal, {"blue", "green", "red"}),
          labelled("size", AttributeKind::ordinal, {"s", "m", "l"}), numeric("y", {1, 2, 3, 4, 5})};
}

std::set<std::string> generalisations(const std::string& antecedent) {
  const std::vector<Attribute> attributes = columns();
  std::set<std::string> texts;
  for (const Expression& general :
       proper_generalisations(parse_expression(antecedent, attributes, "test"), attributes)) {
    // Bounds on one attribute stand apart until they are brought into canonical form.
    const bool is_new =
        texts.insert(general.empty() ? "" : to_text(canonical(general, attributes), attributes))
            .second;
    EXPECT_TRUE(is_new);
  }
  return texts;
}

TEST(Productivity, GeneralisesByDroppingComparisonsAndBounds) {
  using Texts = std::set<std::string>;
  EXPECT_EQ(generalisations("x > 2"), (Texts{""}));
  EXPECT_EQ(generalisations("colour = red"), (Texts{""}));
  EXPECT_EQ(generalisations("x in [2, 4]"), (Texts{"", "x > 1", "x <= 4"}));
  EXPECT_EQ(generalisations("size = m"), (Texts{"", "size > s", "size <= m"}));
  EXPECT_EQ(generalisations("x not in [2, 4]"), (Texts{""}));
  EXPECT_EQ(generalisations("x > 2 AND colour = red AND y <= 3"),
            (Texts{"", "x > 2", "colour = red", "y <= 3", "x > 2 AND colour = red",
                   "x > 2 AND y <= 3", "colour = red AND y <= 3"}));
  EXPECT_EQ(generalisations("x in [2, 4] AND colour = red"),
            (Texts{"", "x > 1", "x <= 4", "x in [2, 4]", "colour = red", "x > 1 AND colour = red",
                   "x <= 4 AND colour = red"}));
  EXPECT_EQ(generalisations("(x > 2 OR y > 2) AND colour = red"),
            (Texts{"", "x > 2 OR y > 2", "colour = red"}));
  EXPECT_EQ(generalisations("x > 2 OR y > 2"), (Texts{""}));
}

TEST(Productivity, OfLongAntecedentsOnlyThoseThatDropOnePartAreTested) {
  std::vector<Attribute> attributes;
  std::vector<Comparison> comparisons;
  for (std::uint32_t a = 0; a < 13; ++a) {
    attributes.push_back(numeric(std::to_string(a), {1, 2}));
    comparisons.push_back({a, 1, 1, false});
  }
  const auto of = [&](std::size_t parts) {
    return proper_generalisations(Expression::conjunction(std::span(comparisons).first(parts)),
                                  attributes);
  };
  EXPECT_EQ(of(12).size(), 4095U);
  const auto general = of(13);
  ASSERT_EQ(general.size(), 14U);
  EXPECT_TRUE(general[0].empty());
  for (std::size_t i = 1; i < general.size(); ++i) {
    EXPECT_EQ(general[i].comparisons().size(), 12U);
    EXPECT_TRUE(general[i].is_conjunction());
  }
}

TEST(PValue, IsNeverZero) {
  EXPECT_EQ(least_p_value, 2.2250738585072014e-308);
  EXPECT_EQ(p_value(0), 1);
  EXPECT_EQ(p_value(-3.7), portable_exp(-3.7));
  EXPECT_EQ(p_value(-708), portable_exp(-708));
  EXPECT_GT(p_value(-708), least_p_value);
  for (const double log_p : {-708.01, -1e5, -1e300}) EXPECT_EQ(p_value(log_p), least_p_value);
  EXPECT_EQ(two_sided_p_value(-1e5), least_p_value);
  EXPECT_EQ(two_sided_p_value(-0.1), 1);
  EXPECT_EQ(two_sided_p_value(-3.7), 2 * portable_exp(-3.7));
  const ContingencyTable sure{100'000, 30'000, 30'000, 30'000};
  EXPECT_EQ(evaluate(Measure::fishers_exact_test, sure), least_p_value);
  for (const double p : holm(std::vector<double>(3, least_p_value))) EXPECT_GT(p, 0);
  for (const double p : benjamini_hochberg(std::vector<double>(3, least_p_value))) EXPECT_GT(p, 0);
}

TEST(Productivity, IsFishersTestWithinTheRowsOfTheGeneralRule) {
  // Of 40 rows with Z, 20 have the consequent; of the 12 with X, 9: p by scipy's fisher_exact.
  EXPECT_NEAR(std::exp(log_productive_p({500, 12, 90, 9}, {500, 40, 90, 20})), 0.04117938850975558,
              1e-14);
  // To the empty antecedent it is the test of the rule itself.
  EXPECT_EQ(log_productive_p({500, 12, 90, 9}, {500, 500, 90, 90}), log_fisher_p({500, 12, 90, 9}));
  // What adds nothing, and what holds nowhere, has p = 1.
  EXPECT_EQ(log_productive_p({500, 40, 90, 20}, {500, 40, 90, 20}), 0);
  EXPECT_EQ(log_productive_p({500, 0, 90, 0}, {500, 40, 90, 20}), 0);
  EXPECT_EQ(log_productive_p({500, 0, 90, 0}, {500, 0, 90, 0}), 0);
}

}  // namespace
}  // namespace atl::test
