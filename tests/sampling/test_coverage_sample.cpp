#include <bit>

#include <gtest/gtest.h>

#include "src/sampling/common_bits.hpp"
#include "src/sampling/coverage_sample.hpp"
#include "tests/eval/backend.hpp"
#include "tests/islands/planted_table.hpp"

namespace atl::test {
namespace {

std::uint64_t bits(std::span<const std::uint64_t> words) {
  std::uint64_t sum = 0;
  for (const std::uint64_t word : words) sum += static_cast<std::uint64_t>(std::popcount(word));
  return sum;
}

// With as many rows as the table the sample is the table, and the resident knows the truth.
void expect_counted_rows(const CoverageSample& sample, const Dataset& dataset) {
  ASSERT_EQ(sample.rows(), dataset.rows());
  const auto rules = random_rules(3, 300, dataset.attributes(), 5);
  const auto counts = counts_of(*make_reference_device()->load(dataset), rules);
  Coverage coverage;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    sample.cover(rules[i], coverage);
    const auto antecedent = std::span(coverage.words).first(sample.words());
    const auto consequent = std::span(coverage.words).subspan(sample.words());
    EXPECT_EQ(bits(antecedent), counts[i].antecedent);
    EXPECT_EQ(bits(consequent), counts[i].consequent);
    EXPECT_EQ(common_bits(antecedent.data(), consequent.data(), sample.words()), counts[i].both);
  }
}

TEST(CoverageSample, CoversTheRowsThatTheEvaluatorCounts) {
  const Dataset dataset = planted_table(1000, true);
  expect_counted_rows(CoverageSample(dataset), dataset);
}

// 900 values, more than the levels that a sample keeps of an attribute.
TEST(CoverageSample, KnowsEveryCodeIfAsked) {
  std::vector<std::vector<std::uint32_t>> columns(2);
  for (std::uint32_t row = 0; row < 1000; ++row) {
    columns[0].push_back(row < 900 ? row : missing_code);
    columns[1].push_back(row % 2);
  }
  const Dataset dataset = numeric_table({"x", "y"}, columns);
  const CoverageSample exact(dataset, CoverageSample::Detail::every_code);
  expect_counted_rows(exact, dataset);
  // The greatest value alone: one row, not a level's.
  Coverage coverage;
  exact.cover({Expression::of({0, 899, 899, false}), Expression::of({1, 0, 0, false})}, coverage);
  EXPECT_EQ(coverage.rows[0], 1U);
}

TEST(CoverageSample, TakesAFewThousandRowsOfMore) {
  const Dataset dataset = planted_table(20'000, true);
  const CoverageSample sample(dataset);
  ASSERT_EQ(sample.rows(), 4096U);
  ASSERT_EQ(sample.words(), 64U);
  Coverage coverage;
  sample.cover({Expression::of({0, 0, 19, false}), Expression::of({4, 2, 2, false})}, coverage);
  EXPECT_NEAR(static_cast<double>(bits(std::span(coverage.words).first(64))) / 4096, 0.5, 0.03);
  for (std::size_t row = 0; row < sample.rows(); ++row) {
    EXPECT_EQ(coverage.words[row / 64] >> row % 64 & 1, sample.codes(row)[0] <= 19 ? 1U : 0U);
    EXPECT_EQ(coverage.words[64 + row / 64] >> row % 64 & 1, sample.codes(row)[4] == 2 ? 1U : 0U);
  }
}

TEST(CoverageSample, SimilarityIsTheProductOfTheJaccardIndices) {
  const auto coverage = [](std::uint64_t antecedent, std::uint64_t consequent) {
    return Coverage{{antecedent, consequent},
                    {static_cast<std::uint32_t>(std::popcount(antecedent)),
                     static_cast<std::uint32_t>(std::popcount(consequent))}};
  };
  const Coverage a = coverage(0b1111, 0b0011);
  const Coverage b = coverage(0b0111, 0b0110);
  EXPECT_DOUBLE_EQ(similarity(a, b), 3.0 / 4 * (1.0 / 3));
  EXPECT_DOUBLE_EQ(similarity(a, b, 0.2), 0.25);
  EXPECT_EQ(similarity(a, b, 0.25), 0);
  EXPECT_EQ(similarity(a, b, 0.9), 0);
  EXPECT_DOUBLE_EQ(similarity(a, a), 1);
  EXPECT_EQ(similarity(a, coverage(0b1111, 0b1100)), 0);
  EXPECT_EQ(similarity(coverage(0, 0), coverage(0, 0)), 0);
}

}  // namespace
}  // namespace atl::test
