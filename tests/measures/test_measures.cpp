#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "src/core/error.hpp"
#include "src/measures/measures.hpp"

namespace atl {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

// 100 rows: 40 have the antecedent, 50 the consequent, 30 both.
constexpr ContingencyTable positive{100, 40, 50, 30};
// 100 rows: 40 have the antecedent, 50 the consequent, 10 both.
constexpr ContingencyTable negative{100, 40, 50, 10};
constexpr ContingencyTable independent{100, 40, 50, 20};
constexpr ContingencyTable no_rows{0, 0, 0, 0};
constexpr ContingencyTable no_antecedent{100, 0, 50, 0};
constexpr ContingencyTable no_consequent{100, 40, 0, 0};
constexpr ContingencyTable all_consequent{100, 40, 100, 40};
constexpr ContingencyTable certain{100, 40, 50, 40};
constexpr ContingencyTable everything{100, 100, 100, 100};

bool exists(Measure measure, const ContingencyTable& table) {
  return !std::isnan(evaluate(measure, table));
}

TEST(Measures, Support) {
  EXPECT_DOUBLE_EQ(evaluate(Measure::support, positive), 0.3);
  EXPECT_EQ(evaluate(Measure::support, no_antecedent), 0);
  EXPECT_FALSE(exists(Measure::support, no_rows));
}

TEST(Measures, Confidence) {
  EXPECT_DOUBLE_EQ(evaluate(Measure::confidence, positive), 0.75);
  EXPECT_EQ(evaluate(Measure::confidence, certain), 1);
  EXPECT_EQ(evaluate(Measure::confidence, no_consequent), 0);
  EXPECT_FALSE(exists(Measure::confidence, no_antecedent));
  EXPECT_FALSE(exists(Measure::confidence, no_rows));
}

TEST(Measures, Lift) {
  EXPECT_DOUBLE_EQ(evaluate(Measure::lift, positive), 1.5);
  EXPECT_DOUBLE_EQ(evaluate(Measure::lift, negative), 0.5);
  EXPECT_EQ(evaluate(Measure::lift, independent), 1);
  EXPECT_EQ(evaluate(Measure::lift, {7, 3, 7, 3}), 1);
  EXPECT_FALSE(exists(Measure::lift, no_antecedent));
  EXPECT_FALSE(exists(Measure::lift, no_consequent));
  EXPECT_FALSE(exists(Measure::lift, no_rows));
}

TEST(Measures, LiftOfIndependentSidesIsExactlyOne) {
  for (std::uint64_t a = 1; a < 60; ++a)
    for (std::uint64_t c = 1; c < 60; ++c)
      EXPECT_EQ(evaluate(Measure::lift, {61 * 59, a * 59, c * 61, a * c}), 1) << a << ' ' << c;
}

TEST(Measures, Leverage) {
  EXPECT_DOUBLE_EQ(evaluate(Measure::leverage, positive), 0.1);
  EXPECT_DOUBLE_EQ(evaluate(Measure::leverage, negative), -0.1);
  EXPECT_EQ(evaluate(Measure::leverage, independent), 0);
  EXPECT_EQ(evaluate(Measure::leverage, {100, 50, 50, 50}), 0.25);
  EXPECT_EQ(evaluate(Measure::leverage, {100, 50, 50, 0}), -0.25);
  EXPECT_EQ(evaluate(Measure::leverage, no_antecedent), 0);
  EXPECT_FALSE(exists(Measure::leverage, no_rows));
}

TEST(Measures, Conviction) {
  EXPECT_DOUBLE_EQ(evaluate(Measure::conviction, positive), 2);          // 0.4 * 0.5 / 0.1
  EXPECT_DOUBLE_EQ(evaluate(Measure::conviction, negative), 2.0 / 3.0);  // 0.4 * 0.5 / 0.3
  EXPECT_EQ(evaluate(Measure::conviction, independent), 1);
  EXPECT_EQ(evaluate(Measure::conviction, certain), inf);
  EXPECT_EQ(evaluate(Measure::conviction, no_consequent), 1);
  EXPECT_FALSE(exists(Measure::conviction, all_consequent));
  EXPECT_FALSE(exists(Measure::conviction, no_antecedent));
  EXPECT_FALSE(exists(Measure::conviction, no_rows));
}

TEST(Measures, CertaintyFactor) {
  EXPECT_DOUBLE_EQ(evaluate(Measure::certainty_factor, positive), 0.5);   // (0.75 - 0.5) / 0.5
  EXPECT_DOUBLE_EQ(evaluate(Measure::certainty_factor, negative), -0.5);  // (0.25 - 0.5) / 0.5
  EXPECT_DOUBLE_EQ(evaluate(Measure::certainty_factor, {100, 40, 20, 4}), -0.5);
  EXPECT_EQ(evaluate(Measure::certainty_factor, independent), 0);
  EXPECT_EQ(evaluate(Measure::certainty_factor, certain), 1);
  EXPECT_EQ(evaluate(Measure::certainty_factor, {100, 40, 50, 0}), -1);
  EXPECT_EQ(evaluate(Measure::certainty_factor, all_consequent), 0);
  EXPECT_EQ(evaluate(Measure::certainty_factor, no_consequent), 0);
  EXPECT_EQ(evaluate(Measure::certainty_factor, everything), 0);
  EXPECT_FALSE(exists(Measure::certainty_factor, no_antecedent));
  EXPECT_FALSE(exists(Measure::certainty_factor, no_rows));
}

TEST(Measures, Coverage) {
  EXPECT_DOUBLE_EQ(evaluate(Measure::coverage, positive), 0.4);
  EXPECT_EQ(evaluate(Measure::coverage, no_antecedent), 0);
  EXPECT_FALSE(exists(Measure::coverage, no_rows));
}

TEST(Measures, StayInTheirRangeOnEveryTableOfTwelveRows) {
  for (std::uint64_t n = 0; n <= 12; ++n)
    for (std::uint64_t a = 0; a <= n; ++a)
      for (std::uint64_t c = 0; c <= n; ++c)
        for (std::uint64_t both = a + c > n ? a + c - n : 0; both <= std::min(a, c); ++both)
          for (const MeasureInfo& m : measures()) {
            const double value = evaluate(m.measure, {n, a, c, both});
            if (std::isnan(value)) continue;
            EXPECT_GE(value, m.lowest) << m.name << ' ' << n << ' ' << a << ' ' << c << ' ' << both;
            EXPECT_LE(value, m.highest)
                << m.name << ' ' << n << ' ' << a << ' ' << c << ' ' << both;
          }
}

TEST(Measures, AreExactForCountsOfLargeTables) {
  const ContingencyTable large{4'000'000'000, 2'000'000'000, 2'000'000'000, 1'000'000'000};
  EXPECT_EQ(evaluate(Measure::support, large), 0.25);
  EXPECT_EQ(evaluate(Measure::lift, large), 1);
  EXPECT_EQ(evaluate(Measure::leverage, large), 0);
  EXPECT_EQ(evaluate(Measure::conviction, large), 1);
}

TEST(Measures, EachHasANameOfItsOwnThatFindsIt) {
  std::set<std::string_view> names;
  for (const MeasureInfo& m : measures()) {
    names.insert(m.name);
    EXPECT_EQ(measure_named(m.name), m.measure);
    EXPECT_EQ(info(m.measure).name, m.name);
    EXPECT_FALSE(m.formula.empty() || m.undefined_when.empty() || m.source.empty());
  }
  EXPECT_EQ(names.size(), measures().size());
}

TEST(Measures, ManyAreNamedAtOnceButNoneTwice) {
  const std::vector<std::string> names = {"phi", "support"};
  EXPECT_EQ(measures_named(names), (std::vector<Measure>{Measure::phi, Measure::support}));
  const std::vector<std::string> twice = {"phi", "support", "phi"};
  EXPECT_THROW(measures_named(twice), UsageError);
  const std::vector<std::string> unknown = {"phi", "psi"};
  EXPECT_THROW(measures_named(unknown), UsageError);
}

TEST(Measures, OfMeansAreForRulesAboutThem) {
  const std::vector<std::string> of_means = {"support", "z_score"};
  EXPECT_EQ(measures_named(of_means, true),
            (std::vector<Measure>{Measure::support, Measure::z_score}));
  EXPECT_THROW(measures_named(of_means), UsageError);
  EXPECT_THROW(measures_named(std::vector<std::string>{"lift"}, true), UsageError);
  for (const Measure m : default_measures(true)) {
    EXPECT_TRUE(info(m).applies(true)) << info(m).name;
    EXPECT_EQ(exists(m, positive), m == Measure::support) << info(m).name;
  }
}

TEST(Measures, OnlyWhatIsArithmeticAndGrowsWithStrengthMaySteer) {
  for (const Measure m : {Measure::fishers_exact_test, Measure::j_measure,
                          Measure::mutual_information, Measure::importance, Measure::imbalance,
                          Measure::implication_index, Measure::ralambondrainy}) {
    EXPECT_FALSE(info(m).steers) << info(m).name;
  }
  for (const Measure m : {Measure::leverage, Measure::confidence_low, Measure::yule_y}) {
    EXPECT_TRUE(info(m).steers) << info(m).name;
  }
}

TEST(Measures, EachIsInTheDocumentation) {
  std::ifstream in(ATOLL_SOURCE "/docs/reference/measures.md");
  std::ostringstream text;
  text << in.rdbuf();
  for (const MeasureInfo& m : measures()) {
    EXPECT_NE(text.str().find("\n| " + std::string(m.name) + " | "), std::string::npos) << m.name;
  }
}

TEST(Measures, AnUnknownNameIsAnsweredWithTheKnownOnes) {
  try {
    measure_named("suport");
    FAIL();
  } catch (const UsageError& error) {
    const std::string message = error.what();
    EXPECT_TRUE(message.starts_with("unknown measure 'suport', known: support, confidence, lift, "))
        << message;
    EXPECT_TRUE(message.ends_with(", effect_size, z_score, impact")) << message;
  }
}

TEST(Measures, GreaterGoesFirstAndWhatDoesNotExistLast) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(by_measure(2, 1), std::weak_ordering::less);
  EXPECT_EQ(by_measure(1, 2), std::weak_ordering::greater);
  EXPECT_EQ(by_measure(1, 1), std::weak_ordering::equivalent);
  EXPECT_EQ(by_measure(inf, 5), std::weak_ordering::less);
  EXPECT_EQ(by_measure(-inf, nan), std::weak_ordering::less);
  EXPECT_EQ(by_measure(nan, -inf), std::weak_ordering::greater);
  EXPECT_EQ(by_measure(nan, nan), std::weak_ordering::equivalent);
}

}  // namespace
}  // namespace atl
