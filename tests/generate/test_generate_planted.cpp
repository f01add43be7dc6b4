#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/core/error.hpp"
#include "src/data/dataset.hpp"
#include "src/generate/planted.hpp"

namespace atl {
namespace {

using Columns = std::vector<std::vector<std::uint32_t>>;

Columns columns(const RowSource& source, std::uint64_t rows) {
  Columns result(source.attributes().size());
  std::vector<std::uint32_t> codes(result.size());
  for (std::uint64_t row = 0; row < rows; ++row) {
    source.make_row(row, codes);
    for (std::size_t a = 0; a < codes.size(); ++a) result[a].push_back(codes[a]);
  }
  return result;
}

std::size_t find(const RowSource& source, const std::string& name) {
  const auto attributes = source.attributes();
  const auto at = std::find_if(attributes.begin(), attributes.end(),
                               [&](const Attribute& a) { return a.name == name; });
  EXPECT_NE(at, attributes.end()) << name;
  return static_cast<std::size_t>(at - attributes.begin());
}

double correlation(const std::vector<double>& x, const std::vector<double>& y) {
  const auto n = static_cast<double>(x.size());
  double sx = 0, sy = 0, sxx = 0, syy = 0, sxy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    sx += x[i];
    sy += y[i];
    sxx += x[i] * x[i];
    syy += y[i] * y[i];
    sxy += x[i] * y[i];
  }
  return (sxy - sx * sy / n) / std::sqrt((sxx - sx * sx / n) * (syy - sy * sy / n));
}

/// Chi-squared of two columns, each cut into at most `parts` runs of about equal share, in units of
/// standard deviations above its mean under independence. Rows with missing values take no part.
double dependence(const std::vector<std::uint32_t>& x, const Marginal& of_x,
                  const std::vector<std::uint32_t>& y, const Marginal& of_y) {
  constexpr double parts = 4;
  const auto part = [](std::uint32_t code, const Marginal& of) {
    return static_cast<int>((of.cumulative(code) - of.share(code, code) / 2) * parts);
  };
  std::map<std::pair<int, int>, double> cells;
  std::map<int, double> rows, columns;
  double n = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] == missing_code || y[i] == missing_code) continue;
    const int a = part(x[i], of_x);
    const int b = part(y[i], of_y);
    ++cells[{a, b}];
    ++rows[a];
    ++columns[b];
    ++n;
  }
  double chi_squared = 0;
  for (const auto& [a, in_row] : rows) {
    for (const auto& [b, in_column] : columns) {
      const double expected = in_row * in_column / n;
      const double difference = cells[{a, b}] - expected;
      chi_squared += difference * difference / expected;
    }
  }
  const double freedom = static_cast<double>((rows.size() - 1) * (columns.size() - 1));
  return (chi_squared - freedom) / std::sqrt(2 * freedom);
}

TEST(Planted, RowsDependOnSeedAndIndexAlone) {
  const PlantedSource source({.seed = 3});
  const PlantedSource same({.seed = 3});
  const PlantedSource other({.seed = 4});
  std::vector<std::uint32_t> a(20), b(20), c(20);
  for (const std::uint64_t row : {std::uint64_t{0}, std::uint64_t{12345}, std::uint64_t{1} << 40}) {
    source.make_row(row, a);
    source.make_row(row + 1, b);
    same.make_row(row, c);
    EXPECT_EQ(a, c);
    EXPECT_NE(a, b);
    other.make_row(row, c);
    EXPECT_NE(a, c);
  }
}

// A change of these means that tables, and every figure measured on them, are no longer comparable.
TEST(Planted, FirstRowIsPinned) {
  std::vector<std::uint32_t> codes(20);
  PlantedSource({.seed = 1}).make_row(0, codes);
  EXPECT_EQ(codes, (std::vector<std::uint32_t>{4204, 1, 42, 2, 528,  5,    1, 7, 4,   252,
                                               9,    8, 49, 3, 2131, 4284, 1, 2, 530, 404}));
}

TEST(Planted, RulesAreAsPromised) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const PlantedSource source({.seed = seed, .missing = 0});
    ASSERT_EQ(source.rules().size(), 10U);
    constexpr std::uint64_t rows = 50'000;
    std::vector<std::uint32_t> codes(20);
    std::vector<double> covered(10);
    for (std::uint64_t row = 0; row < rows; ++row) {
      source.make_row(row, codes);
      for (std::size_t r = 0; r < 10; ++r) {
        covered[r] += holds(source.rules()[r].antecedent, codes) ? 1.0 / rows : 0;
      }
    }
    for (std::size_t r = 0; r < 10; ++r) {
      const PlantedRule& rule = source.rules()[r];
      EXPECT_EQ(rule.antecedent.size(), 1 + r % 4);
      EXPECT_GE(covered[r], 0.003) << "seed " << seed << " rule " << r;
      EXPECT_LE(covered[r], 0.1) << "seed " << seed << " rule " << r;
      const Comparison& c = rule.consequent;
      const double added = rule.confidence - source.marginal(c.attribute).share(c.low, c.high);
      EXPECT_GE(added, 0.15);
      EXPECT_LE(added, 0.47);
      for (const Comparison& comparison : rule.antecedent) {
        EXPECT_NE(comparison.attribute, c.attribute);
      }
    }
  }
}

TEST(Planted, BoundsAreNotOnQuantiles) {
  const PlantedSource source({.seed = 2, .rules = 40});
  int bounds = 0;
  const auto check = [&](const Comparison& comparison) {
    const Marginal& marginal = source.marginal(comparison.attribute);
    if (marginal.codes() <= 256) return;
    for (const std::uint32_t code : {comparison.low - 1, comparison.high}) {
      if (code >= marginal.codes() - 1) continue;  // an open side
      const double quantile = marginal.cumulative(code) * 256;
      if (quantile < 2 || quantile > 254) continue;  // where single values are wider than that
      EXPECT_GE(std::abs(quantile - std::round(quantile)), 0.2) << code;
      ++bounds;
    }
  };
  for (const PlantedRule& rule : source.rules()) {
    for (const Comparison& comparison : rule.antecedent) check(comparison);
    check(rule.consequent);
  }
  EXPECT_GT(bounds, 50);
}

TEST(Planted, MarginalsAreWhatTheyClaim) {
  const PlantedSource source({.seed = 5, .rules = 0, .missing = 0.1});
  constexpr std::uint64_t rows = 40'000;
  const Columns table = columns(source, rows);
  for (std::size_t a = 0; a < table.size(); ++a) {
    const auto missing = std::count(table[a].begin(), table[a].end(), missing_code);
    if (source.attributes()[a].has_missing) {
      EXPECT_NEAR(static_cast<double>(missing) / rows, 0.1, 0.01);
    } else {
      EXPECT_EQ(missing, 0);
    }
    const double present = static_cast<double>(rows) - static_cast<double>(missing);
    for (const double share : {0.01, 0.1, 0.5, 0.9, 0.99}) {
      const std::uint32_t code = source.marginal(a).code_of_share(share);
      const auto covered = std::count_if(table[a].begin(), table[a].end(),
                                         [&](std::uint32_t c) { return c <= code; });
      // Five standard deviations.
      EXPECT_NEAR(static_cast<double>(covered) / present, source.marginal(a).cumulative(code),
                  5 * std::sqrt(0.25 / present))
          << source.attributes()[a].name << " up to " << code;
    }
  }
}

TEST(Planted, WithoutRulesAttributesAreIndependent) {
  const PlantedSource source({.seed = 6, .rules = 0, .missing = 0.1});
  EXPECT_TRUE(source.rules().empty());
  const Columns table = columns(source, 40'000);
  for (std::size_t a = 0; a < table.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      EXPECT_LT(dependence(table[a], source.marginal(a), table[b], source.marginal(b)), 6)
          << source.attributes()[a].name << " and " << source.attributes()[b].name;
    }
  }
}

TEST(Planted, BackgroundIsCorrelated) {
  const PlantedSource source({.seed = 6});
  const Columns table = columns(source, 40'000);
  int dependent = 0;
  for (std::size_t a = 0; a < 10; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const double far = dependence(table[a], source.marginal(a), table[b], source.marginal(b));
      dependent += far > 6 ? 1 : 0;
    }
  }
  EXPECT_GT(dependent, 30);  // of 45 pairs
}

TEST(Planted, CopiesAreCloseButNotEqual) {
  const PlantedSource source({.seed = 7});
  const Columns table = columns(source, 20'000);
  const auto& number = table[find(source, "num1")];
  const auto& numeric_copy = table[find(source, "num1_copy")];
  const auto& label = table[find(source, "nom1")];
  const auto& label_copy = table[find(source, "nom1_copy")];
  double equal = 0, near = 0, same_label = 0;
  for (std::size_t row = 0; row < number.size(); ++row) {
    const double distance = std::abs(static_cast<double>(number[row]) - numeric_copy[row]);
    equal += distance == 0 ? 1.0 / 20'000 : 0;
    near += distance <= 101 ? 1.0 / 20'000 : 0;
    same_label += label[row] == label_copy[row] ? 1.0 / 20'000 : 0;
  }
  EXPECT_LT(equal, 0.05);
  EXPECT_NEAR(near, 0.9, 0.03);
  EXPECT_GT(same_label, 0.9);
  EXPECT_LT(same_label, 0.98);
}

TEST(Planted, SimpsonPairReversesWithinGroups) {
  const PlantedSource source({.seed = 8, .missing = 0});
  const Columns table = columns(source, 30'000);
  const auto& group = table[find(source, "simpson_group")];
  const auto& x = table[find(source, "simpson_x")];
  const auto& y = table[find(source, "simpson_y")];
  EXPECT_LT(correlation({x.begin(), x.end()}, {y.begin(), y.end()}), -0.25);
  for (std::uint32_t g = 0; g < 3; ++g) {
    std::vector<double> in_x, in_y;
    for (std::size_t row = 0; row < group.size(); ++row) {
      if (group[row] != g) continue;
      in_x.push_back(x[row]);
      in_y.push_back(y[row]);
    }
    EXPECT_GT(in_x.size(), 9'000U);
    EXPECT_GT(correlation(in_x, in_y), 0.45) << g;
  }
}

TEST(Planted, TooFewAttributesForRulesAreRefused) {
  EXPECT_THROW(PlantedSource({.attributes = 9}), UsageError);
  EXPECT_EQ(PlantedSource({.attributes = 10}).attributes().size(), 10U);
  EXPECT_EQ(PlantedSource({.attributes = 2, .rules = 0}).attributes().size(), 2U);
}

}  // namespace
}  // namespace atl
