#include <bit>

#include <gtest/gtest.h>

#include "src/eval/common_bits.hpp"
#include "src/eval/coverage_sample.hpp"
#include "tests/eval/backend.hpp"
#include "tests/islands/planted_table.hpp"

namespace atl::test {
namespace {

std::uint64_t bits(std::span<const std::uint64_t> words) {
  std::uint64_t sum = 0;
  for (const std::uint64_t word : words) sum += static_cast<std::uint64_t>(std::popcount(word));
  return sum;
}

// With as many rows as the table the sample is the table, and the evaluator knows the truth.
TEST(CoverageSample, CoversTheRowsThatTheEvaluatorCounts) {
  const Dataset dataset = planted_table(1000, true);
  const CoverageSample sample(dataset);
  ASSERT_EQ(sample.rows(), 1000U);
  const auto evaluator = make_reference_evaluator(dataset);
  const auto rules = random_rules(3, 300, dataset.attributes(), 5);
  const auto counts = counts_of(*evaluator, rules);
  Coverage coverage;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    sample.cover(rules[i], coverage);
    const auto antecedent = std::span(coverage.words).first(sample.words());
    const auto consequent = std::span(coverage.words).subspan(sample.words());
    EXPECT_EQ(bits(antecedent), counts[i].table.n_antecedent);
    EXPECT_EQ(bits(consequent), counts[i].table.n_consequent);
    EXPECT_EQ(common_bits(antecedent.data(), consequent.data(), sample.words()),
              counts[i].table.n_both);
  }
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

// Every choice of codes by brute force.
TEST(CoverageSample, FindsTheCodesOfGreatestGain) {
  const Dataset dataset = planted_table(600, true);
  const CoverageSample sample(dataset);
  Coverage sides;
  for (std::uint32_t slot = 0; slot < 40; ++slot) {
    RandomStream stream({5, 0, 0, slot, Purpose::test});
    const auto attribute = static_cast<std::uint32_t>(stream.below(8));
    const std::uint32_t distinct = dataset.attributes()[attribute].distinct();
    sample.cover(random_rules(100 + slot, 1, dataset.attributes(), 3)[0], sides);
    const auto among = std::span(sides.words).first(sample.words());
    const auto wanted = std::span(sides.words).subspan(sample.words());
    const auto all = static_cast<std::int64_t>(bits(among));
    const auto hits =
        static_cast<std::int64_t>(common_bits(among.data(), wanted.data(), among.size()));
    const auto gain = [&](std::uint32_t low, std::uint32_t high, bool negated) {
      std::int64_t sum = 0;
      for (std::size_t row = 0; row < sample.rows(); ++row) {
        const std::uint32_t code = sample.codes(row)[attribute];
        if (code == missing_code || (among[row / 64] >> row % 64 & 1) == 0) continue;
        if ((low <= code && code <= high) == negated) continue;
        sum += static_cast<std::int64_t>(wanted[row / 64] >> row % 64 & 1) * all - hits;
      }
      return sum;
    };
    for (const auto relation : {BoundRelation::equal, BoundRelation::less_equal,
                                BoundRelation::greater, BoundRelation::interval}) {
      std::int64_t best = 0;
      for (std::uint32_t low = 0; low < distinct; ++low) {
        for (std::uint32_t high = low; high < distinct; ++high) {
          if (relation == BoundRelation::equal && low != high) continue;
          if (relation == BoundRelation::less_equal && low != 0) continue;
          if (relation == BoundRelation::greater && high + 1 != distinct) continue;
          if (low == 0 && high + 1 == distinct) continue;
          best = std::max(best, gain(low, high, false));
        }
      }
      const auto found = sample.best_codes(attribute, relation, among, wanted);
      ASSERT_EQ(found.has_value(), best > 0) << static_cast<int>(relation);
      if (found) {
        EXPECT_EQ(gain(found->low, found->high, false), best);
      }
    }
  }
}

}  // namespace
}  // namespace atl::test
