// Values by hand: 100 rows, 40 with the antecedent, 50 with the consequent, 30 with both, so that
// the cells are 30, 10, 20 and 40. Then where denominators are zero.
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "src/measures/measures.hpp"

namespace atl {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double none = std::numeric_limits<double>::quiet_NaN();

constexpr ContingencyTable usual{100, 40, 50, 30};
constexpr ContingencyTable no_rows{0, 0, 0, 0};
constexpr ContingencyTable no_a{100, 0, 50, 0};
constexpr ContingencyTable no_c{100, 40, 0, 0};
constexpr ContingencyTable all_a{100, 100, 50, 50};
constexpr ContingencyTable all_c{100, 40, 100, 40};
constexpr ContingencyTable everything{100, 100, 100, 100};
constexpr ContingencyTable certain{100, 40, 50, 40};  // no row has the antecedent alone
constexpr ContingencyTable same{100, 40, 40, 40};     // nor the consequent alone
constexpr ContingencyTable never{100, 40, 50, 0};     // none has both

struct Case {
  Measure measure;
  double on_usual, on_no_rows, on_no_a, on_no_c, on_all_a, on_all_c, on_everything, on_certain,
      on_same, on_never;
};

void expect_value(const Case& c, const char* name, const ContingencyTable& table, double expected) {
  const double value = evaluate(c.measure, table);
  if (std::isnan(expected)) {
    EXPECT_TRUE(std::isnan(value)) << info(c.measure).name << " on " << name << ": " << value;
  } else if (std::isinf(expected)) {
    EXPECT_EQ(value, expected) << info(c.measure).name << " on " << name;
  } else {
    EXPECT_NEAR(value, expected, 1e-14) << info(c.measure).name << " on " << name;
  }
}

std::vector<Case> cases_by_hand() {
  const double ln2 = std::log(2.0);
  return {
      // measure, usual, no rows, A never, C never, A always, C always, both always, A only with C,
      // A exactly with C, never both
      {Measure::rhs_support, 0.5, none, 0.5, 0, 0.5, 1, 1, 0.5, 0.4, 0.5},
      {Measure::added_value, 0.25, none, none, 0, 0, 0, 0, 0.5, 0.6, -0.5},
      {Measure::cosine, 30 / std::sqrt(2000.0), none, none, none, std::sqrt(0.5), std::sqrt(0.4), 1,
       40 / std::sqrt(2000.0), 1, 0},
      {Measure::jaccard, 0.5, none, 0, 0, 0.5, 0.4, 1, 0.8, 1, 0},
      {Measure::kulczynski, 0.675, none, none, none, 0.75, 0.7, 1, 0.9, 1, 0},
      {Measure::imbalance, 1 / 6.0, none, 1, 1, 0.5, 0.6, 0, 0.2, 0, 1 / 9.0},
      {Measure::maxconfidence, 0.75, none, none, none, 1, 1, 1, 1, 1, 0},
      {Measure::phi, 1 / std::sqrt(6.0), none, none, none, none, none, none, 2 / std::sqrt(6.0), 1,
       -2 / std::sqrt(6.0)},
      {Measure::chi_squared, 50 / 3.0, none, none, none, none, none, none, 200 / 3.0, 100,
       200 / 3.0},
      {Measure::odds_ratio, 6, none, none, none, none, none, none, inf, inf, 0},
      {Measure::relative_risk, 2.25, none, none, none, none, 1, none, 6, inf, 0},
      {Measure::yule_q, 5 / 7.0, none, none, none, none, none, none, 1, 1, -1},
      {Measure::yule_y, (std::sqrt(6.0) - 1) / (std::sqrt(6.0) + 1), none, none, none, none, none,
       none, 1, 1, -1},
      {Measure::j_measure, 0.3 * std::log(1.5) - 0.1 * ln2, none, none, 0, 0, 0, 0, 0.4 * ln2,
       0.4 * std::log(2.5), 0.4 * ln2},
      {Measure::gini, 1 / 12.0, none, none, 0, none, 0, none, 1 / 3.0, 0.48, 1 / 3.0},
      {Measure::collective_strength, 7 / 3.0, none, 1, 1, 1, 1, none, 9, inf, 1 / 9.0},
      {Measure::zhang, 5 / 9.0, none, none, none, none, 0, none, 5 / 6.0, 1, -1},
      {Measure::laplace, 31 / 42.0, 0.5, 0.5, 1 / 42.0, 0.5, 41 / 42.0, 101 / 102.0, 41 / 42.0,
       41 / 42.0, 1 / 42.0},
      {Measure::sebag, 3, none, none, 0, 1, inf, inf, inf, inf, 0},
      {Measure::counterexample, 2 / 3.0, none, none, -inf, 0, 1, 1, 1, 1, -inf},
      {Measure::confirmed_confidence, 0.5, none, none, -1, 0, 1, 1, 1, 1, -1},
      {Measure::casual_support, 0.7, none, 0.5, -0.4, 0.5, 1.4, 2, 0.9, 0.8, 0.1},
      {Measure::casual_confidence, 0.9955, none, none, none, 0.985, 1, 1, 1, 1, 0.982},
      {Measure::least_contradiction, 0.4, none, 0, none, 0, 0.4, 1, 0.8, 1, -0.8},
      {Measure::varying_liaison, 0.5, none, none, none, 0, 0, 0, 1, 1.5, -1},
      {Measure::lerman, std::sqrt(5.0), none, none, none, 0, 0, 0, 20 / std::sqrt(20.0), 6,
       -std::sqrt(20.0)},
      {Measure::implication_index, -std::sqrt(5.0), none, none, 0, 0, none, none, -std::sqrt(20.0),
       -std::sqrt(24.0), std::sqrt(20.0)},
      {Measure::doc, 5 / 12.0, none, none, 0, none, 0, none, 5 / 6.0, 1, -5 / 6.0},
      {Measure::kappa, 0.4, none, 0, 0, 0, 0, none, 0.8, 1, -0.8},
      {Measure::rld, 0.5, none, none, none, none, none, none, 1, 1, 1},
      {Measure::ralambondrainy, 0.1, none, 0, 0.4, 0.5, 0, 0, 0, 0, 0.4},
      {Measure::rule_power_factor, 0.225, none, none, 0, 0.25, 0.4, 1, 0.4, 0.4, 0},
      {Measure::lambda, 0.4, none, 0, none, 0, none, none, 0.8, 1, 0.8},
      {Measure::fishers_exact_test, 4.1543293531196e-05, 1, 1, 1, 1, 1, 1,
       evaluate(Measure::fishers_exact_test, certain), evaluate(Measure::fishers_exact_test, same),
       1},
      {Measure::importance, std::log10(31 * 62 / (21 * 42.0)), 0, std::log10(102 / 102.0),
       std::log10(62 / 42.0), std::log10(51 * 2 / 102.0), std::log10(41 * 62 / (61 * 42.0)),
       std::log10(101 * 2 / 102.0), std::log10(41 * 62 / (11 * 42.0)), std::log10(41 * 62 / 42.0),
       std::log10(62 / (51 * 42.0))},
  };
}

TEST(MeasureFormulas, AreAsComputedByHandAndDegenerateAsStated) {
  for (const Case& c : cases_by_hand()) {
    expect_value(c, "the usual table", usual, c.on_usual);
    expect_value(c, "no rows", no_rows, c.on_no_rows);
    expect_value(c, "no antecedent", no_a, c.on_no_a);
    expect_value(c, "no consequent", no_c, c.on_no_c);
    expect_value(c, "antecedent everywhere", all_a, c.on_all_a);
    expect_value(c, "consequent everywhere", all_c, c.on_all_c);
    expect_value(c, "both everywhere", everything, c.on_everything);
    expect_value(c, "antecedent only with consequent", certain, c.on_certain);
    expect_value(c, "antecedent exactly with consequent", same, c.on_same);
    expect_value(c, "never both", never, c.on_never);
  }
}

TEST(MeasureFormulas, MutualInformationIsAShareOfTheLesserEntropy) {
  const auto h = [](double p) { return -p * std::log(p) - (1 - p) * std::log(1 - p); };
  const double joint =
      -(0.3 * std::log(0.3) + 0.1 * std::log(0.1) + 0.2 * std::log(0.2) + 0.4 * std::log(0.4));
  EXPECT_NEAR(evaluate(Measure::mutual_information, usual), (h(0.4) + h(0.5) - joint) / h(0.4),
              1e-14);
  EXPECT_NEAR(evaluate(Measure::mutual_information, same), 1, 1e-14);
  EXPECT_NEAR(evaluate(Measure::mutual_information, {100, 40, 50, 20}), 0, 1e-14);
  for (const ContingencyTable& table : {no_rows, no_a, no_c, all_a, all_c, everything}) {
    EXPECT_TRUE(std::isnan(evaluate(Measure::mutual_information, table)));
  }
}

// Figures of statsmodels 0.15.0, proportion_confint(method="wilson").
TEST(MeasureFormulas, WilsonsIntervalAgreesWithStatsmodels) {
  const auto expect = [](std::uint64_t hits, std::uint64_t n, double low, double high) {
    const ContingencyTable table{2 * n, n, n, hits};
    EXPECT_NEAR(evaluate(Measure::confidence_low, table), low, 1e-15) << hits << " of " << n;
    EXPECT_NEAR(evaluate(Measure::confidence_high, table), high, 1e-15) << hits << " of " << n;
  };
  expect(30, 40, 0.59806038579231968, 0.85812881360903703);
  expect(0, 10, 0, 0.27753279986288926);
  expect(10, 10, 0.72246720013711063, 1);
  expect(1, 1, 0.20654931437723739, 1);
  expect(3, 7, 0.15821985525146964, 0.74954163547234276);
  expect(140, 150, 0.88163764488394114, 0.96338814333039258);
  expect(4999, 10000, 0.4901021004111254, 0.50969797638854875);
  EXPECT_EQ(evaluate(Measure::confidence_low, never), 0);
  EXPECT_EQ(evaluate(Measure::confidence_high, certain), 1);
  EXPECT_TRUE(std::isnan(evaluate(Measure::confidence_low, no_a)));
  EXPECT_TRUE(std::isnan(evaluate(Measure::confidence_high, no_rows)));
}

// Figures of mlxtend 0.25.0, association_rules()["zhangs_metric"].
TEST(MeasureFormulas, ZhangAgreesWithMlxtend) {
  const auto expect = [](const ContingencyTable& table, double value) {
    EXPECT_NEAR(evaluate(Measure::zhang, table), value, 1e-14);
  };
  expect({100, 40, 50, 30}, 0.55555555555555547);
  expect({100, 40, 50, 10}, -0.62499999999999989);
  expect({100, 40, 50, 20}, 0);
  expect({100, 40, 50, 40}, 0.83333333333333337);
  expect({1000, 123, 456, 78}, 0.32032277870362252);
  expect({8124, 3528, 4208, 3408}, 0.81980656786673034);
  expect({20000, 12000, 15000, 8900}, -0.027322404371584421);
}

}  // namespace
}  // namespace atl
