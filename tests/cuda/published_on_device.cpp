// The published pipeline on a device, against the reference device.
#include <bit>

#include <gtest/gtest.h>

#include "cuda/published/published_pipeline.hpp"
#include "src/measures/measures.hpp"
#include "tests/cuda/device.hpp"
#include "tests/cuda/reference_counts.hpp"
#include "tests/eval/backend.hpp"
#include "tests/support/random.hpp"

namespace atl::test {
namespace {

std::unique_ptr<cuda::PublishedPipeline> pipeline_for(const Dataset& data) {
  return on_device([&] { return cuda::make_published_pipeline(data); });
}

/// To the bit; a value that does not exist has several.
void expect_same(double a, double b) {
  if (a != a && b != b) return;
  EXPECT_EQ(std::bit_cast<std::uint64_t>(a), std::bit_cast<std::uint64_t>(b)) << a << " " << b;
}

void expect_fitness(const cuda::PublishedFitness& fitness, const ContingencyTable& table) {
  const auto rows = static_cast<double>(table.n);
  const double x = static_cast<double>(table.n_antecedent) / rows;
  const double y = static_cast<double>(table.n_consequent) / rows;
  const double support = evaluate(Measure::support, table);
  expect_same(fitness.support, support);
  expect_same(fitness.confidence, evaluate(Measure::confidence, table));
  expect_same(fitness.lift, support / (x * y));
  expect_same(fitness.leverage, support - x * y);
  expect_same(fitness.conviction, (x - x * y) / (x - support));
}

void expect_as_the_reference(cuda::PublishedPipeline& pipeline, const Dataset& data,
                             std::span<const Rule> rules) {
  const auto expected = reference_counts(data, rules);
  cuda::PublishedResults results;
  for (const bool concurrent : {false, true}) {
    for (const bool timed : {false, true}) {
      pipeline.evaluate(rules, {concurrent, timed}, results);
      EXPECT_EQ(results.counts, expected);
      ASSERT_EQ(results.fitness.size(), rules.size());
      for (std::size_t r = 0; r < rules.size(); ++r) {
        expect_fitness(results.fitness[r], statistics_of(expected[r], {}, nullptr).table);
      }
    }
  }
}

class PublishedOnDevice : public testing::TestWithParam<std::uint64_t> {};

TEST_P(PublishedOnDevice, CountsAsTheReference) {
  const std::uint64_t rows = GetParam();
  for (const bool missing : {false, true}) {
    const RandomTable table = random_table(rows * 2 + missing, rows, 9, missing);
    const Dataset data = make_dataset(table.attributes, table.columns, 4096);
    const auto pipeline = pipeline_for(data);
    if (pipeline == nullptr) return;
    auto rules = random_rules(rows, rows < 1000 ? 60 : 6, data.attributes(), 12);
    rules.push_back({Expression(), rules[0].consequent});
    expect_as_the_reference(*pipeline, data, rules);
    expect_as_the_reference(*pipeline, data, std::span(rules).first(1));
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, PublishedOnDevice,
                         testing::Values(1, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257,
                                         4095, 4097, 10000));

TEST(PublishedOnDevice, TakesMoreRulesThanFitInConstantMemory) {
  const RandomTable table = random_table(8, 300, 9, true);
  const Dataset data = make_dataset(table.attributes, table.columns);
  const auto pipeline = pipeline_for(data);
  if (pipeline == nullptr) return;
  expect_as_the_reference(*pipeline, data, random_rules(8, 3000, data.attributes(), 12));
}

TEST(PublishedOnDevice, TakesLongExpressions) {
  const RandomTable table = random_table(9, 700, 9, true);
  const Dataset data = make_dataset(table.attributes, table.columns);
  const auto pipeline = pipeline_for(data);
  if (pipeline == nullptr) return;
  expect_as_the_reference(*pipeline, data, random_rules(9, 12, data.attributes(), 500));
}

TEST(PublishedOnDevice, TakesAChunkForEachRuleWhereMemoryIsShort) {
  const RandomTable table = random_table(10, 500, 9, true);
  const Dataset data = make_dataset(table.attributes, table.columns);
  if (pipeline_for(data) == nullptr) return;
  const auto pipeline = cuda::make_published_pipeline(data, {0, 1});
  expect_as_the_reference(*pipeline, data, random_rules(10, 50, data.attributes(), 6));
}

TEST(PublishedOnDevice, TakesNoRules) {
  const RandomTable table = random_table(10, 5, 3, false);
  const Dataset data = make_dataset(table.attributes, table.columns);
  const auto pipeline = pipeline_for(data);
  if (pipeline == nullptr) return;
  cuda::PublishedResults results;
  results.counts.resize(3);
  pipeline->evaluate({}, {true, true}, results);
  EXPECT_TRUE(results.counts.empty());
  EXPECT_TRUE(results.fitness.empty());
}

TEST(PublishedOnDevice, TakesNoRows) {
  const RandomTable table = random_table(10, 5, 3, false);
  const Dataset data = make_dataset(table.attributes, {{}, {}, {}});
  const auto pipeline = pipeline_for(data);
  if (pipeline == nullptr) return;
  expect_as_the_reference(*pipeline, data, random_rules(10, 3, data.attributes(), 4));
}

// A grid is 65535 blocks of 256 rows high at most.
TEST(PublishedOnDevice, TakesMoreRowsThanAGridIsHigh) {
  const std::uint64_t rows = std::uint64_t{65535} * 256 + 300;
  RandomTable table;
  ContingencyTable expected;
  expected.n = rows;
  for (const std::uint32_t codes : {3U, 5U}) {
    Attribute attribute;
    attribute.name = "a" + std::to_string(codes);
    for (std::uint32_t c = 0; c < codes; ++c) attribute.low.push_back(c);
    attribute.high = attribute.low;
    table.attributes.push_back(attribute);
    std::vector<std::uint32_t>& column = table.columns.emplace_back(rows);
    for (std::uint64_t r = 0; r < rows; ++r) column[r] = static_cast<std::uint32_t>(r / 7 % codes);
  }
  for (std::uint64_t r = 0; r < rows; ++r) {
    const bool antecedent = table.columns[0][r] == 2;
    const bool consequent = table.columns[1][r] <= 1;
    expected.n_antecedent += antecedent;
    expected.n_consequent += consequent;
    expected.n_both += antecedent && consequent;
  }
  const Dataset data = make_dataset(table.attributes, table.columns);
  const auto pipeline = pipeline_for(data);
  if (pipeline == nullptr) return;
  cuda::PublishedResults results;
  const Rule rule{Expression::of({0, 2, 2, false}), Expression::of({1, 0, 1, false})};
  pipeline->evaluate(std::vector{rule}, {}, results);
  EXPECT_EQ(statistics_of(results.counts[0], {}, nullptr).table, expected);
  EXPECT_EQ(results.counts[0].comparison_supports,
            (std::vector{expected.n_antecedent, expected.n_consequent}));
}

TEST(PublishedOnDevice, RefusesUnknownAttributesAndGoesOn) {
  const RandomTable table = random_table(10, 5, 3, false);
  const Dataset data = make_dataset(table.attributes, table.columns);
  const auto pipeline = pipeline_for(data);
  if (pipeline == nullptr) return;
  auto rules = random_rules(10, 2, data.attributes(), 3);
  rules.push_back({Expression::of({3, 0, 0, false}), rules[0].consequent});
  cuda::PublishedResults results;
  EXPECT_THROW(pipeline->evaluate(rules, {}, results), UnknownAttribute);
  rules.pop_back();
  expect_as_the_reference(*pipeline, data, rules);
}

TEST(PublishedOnDevice, TimesItsParts) {
  const RandomTable table = random_table(12, 5000, 5, false);
  const Dataset data = make_dataset(table.attributes, table.columns, 4096);
  const auto pipeline = pipeline_for(data);
  if (pipeline == nullptr) return;
  const auto rules = random_rules(12, 100, data.attributes(), 8);
  cuda::PublishedResults results;
  pipeline->evaluate(rules, {false, true}, results);
  const cuda::PublishedSeconds& s = results.seconds;
  for (const double part : {s.upload, s.coverage, s.reduction, s.fitness, s.download}) {
    EXPECT_GT(part, 0);
  }
  const double parts = s.upload + s.coverage + s.reduction + s.fitness + s.download;
  EXPECT_LE(parts, s.total + 20e-6);  // each is rounded to half a microsecond
  pipeline->evaluate(rules, {}, results);
  EXPECT_EQ(results.seconds.total, 0);
}

}  // namespace
}  // namespace atl::test
