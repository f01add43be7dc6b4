#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "src/generate/planted.hpp"
#include "src/generate/truth.hpp"

namespace atl {
namespace {

using Json = nlohmann::json;

class TruthOf : public testing::TestWithParam<std::uint64_t> {};

TEST_P(TruthOf, ATableIsWhatCountingItsRowsGives) {
  const PlantedOptions options{.seed = GetParam(), .rules = 12, .missing = 0.05};
  const PlantedSource source(options);
  constexpr std::uint64_t rows = 30'000;
  TruthCounter counter(source);
  std::vector<std::vector<std::uint32_t>> table;
  std::vector<std::uint32_t> codes(20);
  for (std::uint64_t row = 0; row < rows; ++row) {
    source.make_row(row, codes);
    counter.add(codes);
    table.push_back(codes);
  }
  for (std::size_t r = 0; r < source.rules().size(); ++r) {
    const PlantedRule& rule = source.rules()[r];
    for (std::uint32_t subset = 0; subset < 1U << rule.antecedent.size(); ++subset) {
      ContingencyTable expected;
      for (const auto& row : table) {
        bool antecedent = true;
        for (std::size_t i = 0; i < rule.antecedent.size(); ++i) {
          if ((subset >> i & 1U) != 0) antecedent = antecedent && holds(rule.antecedent[i], row);
        }
        const bool consequent = holds(rule.consequent, row);
        ++expected.n;
        expected.n_antecedent += antecedent ? 1U : 0U;
        expected.n_consequent += consequent ? 1U : 0U;
        expected.n_both += antecedent && consequent ? 1U : 0U;
      }
      EXPECT_EQ(counter.table(r, subset), expected) << "rule " << r << " subset " << subset;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, TruthOf, testing::Values(1, 2));

TEST(Truth, ListsSignificantRulesThatNoGeneralisationMatches) {
  const PlantedOptions options{.seed = 1};
  const PlantedSource source(options);
  TruthCounter counter(source);
  std::vector<std::uint32_t> codes(20);
  for (std::uint64_t row = 0; row < 100'000; ++row) {
    source.make_row(row, codes);
    counter.add(codes);
  }
  const Json truth = Json::parse(counter.json(options));
  ASSERT_EQ(truth["rules"].size() + truth["unlisted"].size(), 10U);
  EXPECT_GE(truth["rules"].size(), 8U);
  for (const Json& rule : truth["rules"]) {
    const Json& counts = rule["counts"];
    const double n = counts["n"];
    const double confidence = counts["both"].get<double>() / counts["antecedent"].get<double>();
    EXPECT_EQ(n, 100'000);
    EXPECT_EQ(rule["confidence"].get<double>(), confidence);
    EXPECT_NEAR(confidence, rule["planted_confidence"].get<double>(), 0.1);
    EXPECT_EQ(rule["base_rate"].get<double>(), counts["consequent"].get<double>() / n);
    EXPECT_LT(rule["log10_p"].get<double>(), -8);
    const bool easy = rule["antecedent"].size() <= 2 && counts["antecedent"] >= 1'000 &&
                      confidence - rule["base_rate"].get<double>() >= 0.25;
    EXPECT_EQ(rule["class"], easy ? "easy" : "hard");
  }
  for (const Json& rule : truth["unlisted"]) EXPECT_FALSE(rule["reasons"].empty());
  EXPECT_EQ(truth["attributes"].size(), 20U);
}

TEST(Truth, TooFewRowsMakeNothingSignificant) {
  const PlantedOptions options{.seed = 1};
  const PlantedSource source(options);
  TruthCounter counter(source);
  std::vector<std::uint32_t> codes(20);
  for (std::uint64_t row = 0; row < 20; ++row) {
    source.make_row(row, codes);
    counter.add(codes);
  }
  const Json truth = Json::parse(counter.json(options));
  EXPECT_TRUE(truth["rules"].empty());
  ASSERT_EQ(truth["unlisted"].size(), 10U);
  for (const Json& rule : truth["unlisted"]) EXPECT_EQ(rule["reasons"][0], "not significant");
}

TEST(Truth, WithoutRulesThereIsNone) {
  const PlantedOptions options{.rules = 0};
  const PlantedSource source(options);
  const Json truth = Json::parse(TruthCounter(source).json(options));
  EXPECT_TRUE(truth["rules"].empty());
  EXPECT_TRUE(truth["unlisted"].empty());
}

}  // namespace
}  // namespace atl
