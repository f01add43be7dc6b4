// Means of a numeric attribute, on every backend and instruction set.
#define HWY_WANT_AVX3_DL
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include "src/eval/target_values.hpp"
#include "src/measures/measures.hpp"
#include "tests/eval/backend.hpp"

namespace atl::test {
namespace {

constexpr std::uint32_t missing = missing_code;

Attribute numbers(std::vector<double> values) {
  Attribute attribute;
  attribute.name = "price";
  attribute.low = attribute.high = std::move(values);
  attribute.exact_distinct = attribute.low.size();
  return attribute;
}

double value_of(const TargetScale& scale, std::size_t code) {
  return (scale.origin / 2 + scale.step / 2 * scale.levels[code]) / scale.divisor * 2;
}

TEST(TargetScale, OfNoValuesHasNoLevels) {
  const TargetScale scale(Attribute{}, 100);
  EXPECT_TRUE(scale.levels.empty());
  EXPECT_EQ(scale.planes, 1U);
}

TEST(TargetScale, IsExactForDecimals) {
  const Attribute prices = numbers({-0.75, 0.25, 1.5, 12.75});
  const TargetScale scale(prices, 1000);
  EXPECT_EQ(scale.levels, (std::vector<std::uint32_t>{0, 4, 9, 54}));  // quarters
  EXPECT_EQ(scale.planes, 6U);
  for (std::size_t code = 0; code < prices.low.size(); ++code)
    EXPECT_EQ(value_of(scale, code), prices.low[code]);
  const Attribute cents = numbers({0.1, 0.2, 0.3, 19.99, 70'000.01});
  for (std::size_t code = 0; code < cents.low.size(); ++code)
    EXPECT_EQ(value_of(TargetScale(cents, 1'000'000), code), cents.low[code]);
}

TEST(TargetScale, RoundsWhatIsNoDecimalByLittle) {
  const double third = 1.0 / 3;
  for (const auto& values : {std::vector<double>{-third, 0, third, 1},
                             {1e-300, third * 1e-300, 2e-300},
                             {-1.7e308, 1, 1.7e308},
                             {std::nextafter(1.0, 0.0), 1.0}}) {
    std::vector<double> ascending = values;
    std::sort(ascending.begin(), ascending.end());
    const Attribute attribute = numbers(ascending);
    const TargetScale scale(attribute, 1'000'000);
    const double half_range = ascending.back() / 2 - ascending.front() / 2;
    for (std::size_t code = 0; code < ascending.size(); ++code)
      EXPECT_LE(std::abs(value_of(scale, code) / 2 - ascending[code] / 2),
                half_range * std::ldexp(1.0, -31) + 1e-300)
          << ascending[code];
  }
}

// Rows:     price  10 20 20 40  - 90
//           half    0  0  1  1  1  1
Dataset shop() {
  Attribute price = numbers({10, 20, 40, 90});
  price.has_missing = true;
  price.missing = 1;
  price.counts = {1, 2, 1, 1};
  Attribute half;
  half.name = "half";
  half.kind = AttributeKind::nominal;
  half.labels = {"first", "second"};
  return make_dataset({price, half}, {{0, 1, 1, 2, missing, 3}, {0, 0, 1, 1, 1, 1}});
}

const Rule second_half{Expression::of({1, 1, 1, false}), Expression::of({0, 0, 3, false})};

TEST(TargetMoments, OfOneRuleByHand) {
  const Dataset data = shop();
  ThreadPool pool(1);
  CountingOptions options;
  options.mean = MeanTarget{.attribute = 0, .low = false, .deviations = true};
  for (const bool reference : {true, false}) {
    const auto resident =
        reference ? make_reference_device()->load(data) : make_cpu_device(pool)->load(data);
    ContingencyTable table = resident->count(std::vector{second_half}, options)[0].table;
    EXPECT_EQ(table.n_both, 3U);
    EXPECT_EQ(table.n_consequent, 5U);
    EXPECT_EQ(table.target.side, TargetMoments::Side::high);
    EXPECT_EQ(evaluate(Measure::mean, table), 50);
    EXPECT_EQ(evaluate(Measure::mean_rest, table), 15);
    EXPECT_EQ(table.target.mean_all, 36);
    EXPECT_EQ(evaluate(Measure::mean_difference, table), 35);
    EXPECT_DOUBLE_EQ(table.target.deviation_all, std::sqrt(824));  // 26, 16, 16, 4, 54 off
    EXPECT_DOUBLE_EQ(evaluate(Measure::deviation, table), std::sqrt(2600 / 3.0));
    EXPECT_DOUBLE_EQ(evaluate(Measure::effect_size, table), 35 / std::sqrt(824));
    EXPECT_DOUBLE_EQ(evaluate(Measure::z_score, table),
                     14 / (std::sqrt(824) * std::sqrt(2.0 / (3 * 4))));
    EXPECT_DOUBLE_EQ(evaluate(Measure::impact, table), 3.0 / 5 * 14);
    table.target.side = TargetMoments::Side::low;
    EXPECT_EQ(evaluate(Measure::mean_difference, table), 35);
    EXPECT_DOUBLE_EQ(evaluate(Measure::impact, table), 3.0 / 5 * -14);
    EXPECT_LT(evaluate(Measure::z_score, table), 0);
    EXPECT_LT(evaluate(Measure::effect_size, table), 0);
  }
}

TEST(TargetMoments, AreTheSameOnEveryInstructionSetAndNumberOfThreads) {
  for (const std::uint64_t rows : {1U, 63U, 65U, 4097U, 20'000U}) {
    const RandomTable table = random_table(rows, rows, 6, true);
    const Dataset data = make_dataset(table.attributes, table.columns, 4096);
    for (std::uint32_t a = 0; a < data.attributes().size(); ++a) {
      const Attribute& target = data.attributes()[a];
      if (target.kind != AttributeKind::numeric || target.distinct() == 0) continue;
      auto rules = random_rules(rows + a, 5, data.attributes(), 6);
      for (Rule& rule : rules)
        rule.consequent = Expression::of({a, 0, target.distinct() - 1, false});
      for (const bool deviations : {false, true}) {
        CountingOptions options;
        options.mean = MeanTarget{a, false, deviations};
        const auto expected = counts_of(*make_reference_device()->load(data), rules, options);
        hwy::SetSupportedTargetsForTest(0);
        for (const std::int64_t set : hwy::SupportedAndGeneratedTargets()) {
          hwy::SetSupportedTargetsForTest(set);
          ThreadPool pool(deviations ? 3 : 1);
          EXPECT_EQ(counts_of(*make_cpu_device(pool)->load(data), rules, options), expected)
              << hwy::TargetName(set) << ", " << rows << " rows";
        }
        hwy::SetSupportedTargetsForTest(0);
      }
    }
  }
}

}  // namespace
}  // namespace atl::test
