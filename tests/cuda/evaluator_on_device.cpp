// The evaluator on a device, each way that it can go, against the reference evaluator on what needs
// more than a tile of rows or a word of terms.
#include <chrono>
#include <tuple>

#include <gtest/gtest.h>

#include "cuda/count/evaluator.hpp"
#include "tests/cuda/device.hpp"
#include "tests/eval/backend.hpp"
#include "tests/support/random.hpp"

namespace atl::test {
namespace {

enum class Stay { resident, streamed };

/// Whether the stages are apart, and whether rows stay on the device.
class EvaluatorOnDevice : public testing::TestWithParam<std::tuple<bool, Stay>> {
 protected:
  std::unique_ptr<Evaluator> make(const Dataset& data) const {
    const auto [in_stages, stay] = GetParam();
    std::uint64_t planes = 32;  // kept for a target's
    for (const Attribute& attribute : data.attributes()) {
      planes += attribute.planes() + attribute.has_missing;
    }
    auto resident = on_device([&] { return cuda::make_evaluator(data, {0, 0, in_stages}); });
    if (resident == nullptr || stay == Stay::resident) return resident;
    // Room for two buffers of a tile.
    return cuda::make_evaluator(data, {0, planes * 1024 * 2 * 10 / 9 + 1024, in_stages});
  }
};

void expect_as_the_reference(Evaluator& evaluator, const Dataset& data, std::span<const Rule> rules,
                             const EvaluateOptions& options = {}) {
  const auto reference = make_reference_evaluator(data);
  EXPECT_EQ(counts_of(evaluator, rules, options), counts_of(*reference, rules, options));
}

constexpr std::uint64_t rows = 20'001;  // three tiles, the last of them short

TEST_P(EvaluatorOnDevice, ManyTilesAndPartitions) {
  for (const bool missing : {false, true}) {
    const RandomTable table = random_table(5 + missing, rows, 9, missing);
    const Dataset data = make_dataset(table.attributes, table.columns, 12'288);
    const auto evaluator = make(data);
    if (evaluator == nullptr) return;
    const auto rules = with_bare_sides(random_rules(7, 5, data.attributes(), 12));
    for (const EvaluateOptions& options : all_options()) {
      expect_as_the_reference(*evaluator, data, rules, options);
    }
  }
}

TEST_P(EvaluatorOnDevice, TilesOnTheBordersOfPartitions) {
  const RandomTable table = random_table(17, 50'001, 3, true);
  const Dataset data = make_dataset(table.attributes, table.columns, 4096 * 3);
  const auto evaluator = make(data);
  if (evaluator == nullptr) return;
  expect_as_the_reference(*evaluator, data, random_rules(18, 9, data.attributes(), 4));
}

/// Of as many codes as asked for, every one on some row.
Dataset wide_data(std::uint32_t codes, std::uint64_t row_count, bool missing) {
  RandomTable table = random_table(codes, row_count, 4, missing);
  RandomStream stream({codes, 0, 0, 0, Purpose::test});
  for (std::size_t a = 0; a < 2; ++a) {
    Attribute& attribute = table.attributes[a];
    attribute = {};
    attribute.name = "wide" + std::to_string(a);
    attribute.has_missing = missing && a == 0;
    for (std::uint32_t c = 0; c < codes; ++c) attribute.low.push_back(c);
    attribute.high = attribute.low;
    attribute.exact_distinct = codes;
    for (std::uint32_t& code : table.columns[a]) {
      code = static_cast<std::uint32_t>(stream.below(codes));
      if (attribute.has_missing && stream.below(10) == 0) code = missing_code;
    }
  }
  return make_dataset(table.attributes, table.columns, 65536);
}

TEST_P(EvaluatorOnDevice, AttributesOfMorePlanesThanAPass) {
  for (const std::uint32_t codes : {257U, 65'536U, 1U << 20}) {
    for (const bool missing : {false, true}) {
      const Dataset data = wide_data(codes, 9000, missing);
      const auto evaluator = make(data);
      if (evaluator == nullptr) return;
      const auto rules = random_rules(codes, 12, data.attributes(), 8);
      expect_as_the_reference(*evaluator, data, rules);
      expect_as_the_reference(*evaluator, data, rules, {.comparison_supports = true});
    }
  }
}

TEST_P(EvaluatorOnDevice, MoreRulesThanAPiece) {
  const RandomTable table = random_table(11, 40, 6, true);
  const Dataset data = make_dataset(table.attributes, table.columns, 4096);
  const auto evaluator = make(data);
  if (evaluator == nullptr) return;
  const auto rules = random_rules(12, 33'000, data.attributes(), 6);
  expect_as_the_reference(*evaluator, data, rules, {.comparison_supports = true});
}

/// a OR (b AND NOT (c OR (d ...: a term at each level.
Expression nested(std::span<const Attribute> attributes, std::uint32_t depth) {
  Ops program;
  Comparisons comparisons;
  for (std::uint32_t i = 0; i < depth; ++i) {
    const std::uint32_t a = i % static_cast<std::uint32_t>(attributes.size() - 1);
    const std::uint32_t code = i * 7 % attributes[a].distinct();
    comparisons.push_back({a, code, code, i % 3 == 0});
    program.push_back(Op::comparison);
  }
  for (std::uint32_t i = 1; i < depth; ++i) {
    program.push_back(i % 2 == 0 ? Op::conjunction : Op::disjunction);
    if (i % 3 == 0) program.push_back(Op::negation);
  }
  return {program, comparisons};
}

TEST_P(EvaluatorOnDevice, ExpressionsOfMoreTermsThanSharedMemoryHolds) {
  const RandomTable table = random_table(13, 9000, 5, false);
  const Dataset data = make_dataset(table.attributes, table.columns, 65536);
  const auto evaluator = make(data);
  if (evaluator == nullptr) return;
  const std::uint32_t last = static_cast<std::uint32_t>(data.attributes().size()) - 1;
  std::vector<Rule> rules;
  for (const std::uint32_t depth : {2U, 60U, 240U, 1000U}) {
    rules.push_back({nested(data.attributes(), depth), Expression::of({last, 0, 0, false})});
  }
  expect_as_the_reference(*evaluator, data, rules);
  expect_as_the_reference(*evaluator, data, rules,
                          {.comparison_supports = true, .coverage_hashes = true});
}

TEST_P(EvaluatorOnDevice, MeansOfANumericAttribute) {
  for (const bool missing : {false, true}) {
    const Dataset data = wide_data(30'000, rows, missing);
    const auto evaluator = make(data);
    if (evaluator == nullptr) return;
    auto rules = random_rules(17, 10, data.attributes().subspan(1), 5);
    const std::uint32_t last = data.attributes()[0].distinct() - 1;
    for (Rule& rule : rules) {
      Comparisons moved(rule.antecedent.comparisons());
      for (Comparison& comparison : moved) ++comparison.attribute;
      rule.antecedent = Expression(Ops(rule.antecedent.program()), moved);
      rule.consequent = Expression::of({0, 0, last, false});
    }
    for (const bool deviations : {false, true}) {
      for (const bool low : {false, true}) {
        EvaluateOptions options;
        options.mean = {0, low, deviations};
        expect_as_the_reference(*evaluator, data, rules, options);
      }
    }
  }
}

TEST_P(EvaluatorOnDevice, SeveralBatchesAtATime) {
  const RandomTable table = random_table(19, rows, 7, true);
  const Dataset data = make_dataset(table.attributes, table.columns, 65536);
  const auto evaluator = make(data);
  if (evaluator == nullptr) return;
  const auto reference = make_reference_evaluator(data);
  std::vector<std::vector<Rule>> batches;
  std::vector<BatchId> ids;
  for (std::uint64_t b = 0; b < 6; ++b) {
    batches.push_back(random_rules(b, 5 + b * 3, data.attributes(), 6));
    ids.push_back(evaluator->submit(batches.back(), {.comparison_supports = b % 2 == 0}));
  }
  for (const std::size_t b : {3, 0, 5, 1, 2, 4}) {
    std::vector<RuleCounts> counts(batches[b].size());
    evaluator->wait(ids[b], counts);
    EXPECT_EQ(counts, counts_of(*reference, batches[b], {.comparison_supports = b % 2 == 0}));
  }
}

// Of sizes that ask for different amounts of shared memory.
TEST_P(EvaluatorOnDevice, BatchesOnSeveralThreads) {
  const RandomTable table = random_table(41, rows, 7, true);
  const Dataset data = make_dataset(table.attributes, table.columns, 65536);
  const auto evaluator = make(data);
  if (evaluator == nullptr) return;
  const EvaluateOptions options{.comparison_supports = true};
  std::vector<std::vector<Rule>> rules;
  std::vector<std::vector<RuleCounts>> expected;
  std::vector<std::unique_ptr<EvaluatorBatch>> batches;
  for (const std::uint64_t size : {10U, 4000U, 300U, 1500U}) {
    rules.push_back(random_rules(size, size, data.attributes(), 6));
    expected.push_back(counts_of(*evaluator, rules.back(), options));
    batches.push_back(evaluator->make_batch());
  }
  ThreadPool pool(4);
  pool.wait(pool.submit(batches.size(), [&](std::size_t b, unsigned) {
    for (std::size_t round = 0; round < 20; ++round) {
      const std::size_t set = (b + round) % rules.size();
      std::vector<RuleCounts> counts(rules[set].size());
      batches[b]->prepare(rules[set], options);
      batches[b]->start();
      batches[b]->finish();
      batches[b]->read(counts);
      EXPECT_TRUE(counts == expected[set]) << set;
    }
    batches[b]->prepare(rules[b], options);
    batches[b]->start();
  }));
  for (std::size_t b = 0; b < batches.size(); ++b) {  // on another thread
    std::vector<RuleCounts> counts(rules[b].size());
    batches[b]->finish();
    batches[b]->read(counts);
    EXPECT_TRUE(counts == expected[b]) << b;
  }
}

TEST_P(EvaluatorOnDevice, SaysHowLongTheDeviceWasBusy) {
  const RandomTable table = random_table(43, rows, 7, false);
  const Dataset data = make_dataset(table.attributes, table.columns, 65536);
  const auto evaluator = make(data);
  if (evaluator == nullptr) return;
  EXPECT_EQ(evaluator->device_seconds(), 0);
  const auto rules = random_rules(24, 50, data.attributes(), 6);
  const auto start = std::chrono::steady_clock::now();
  counts_of(*evaluator, rules);
  const double first = *evaluator->device_seconds();
  EXPECT_GT(first, 0);
  for (int i = 0; i < 3; ++i) counts_of(*evaluator, rules);
  EXPECT_GT(*evaluator->device_seconds(), first);
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
  EXPECT_LT(*evaluator->device_seconds(), passed.count());
}

TEST_P(EvaluatorOnDevice, SaysHowLongTheDeviceTook) {
  const RandomTable table = random_table(23, rows, 7, false);
  const Dataset data = make_dataset(table.attributes, table.columns, 65536);
  const auto evaluator = make(data);
  if (evaluator == nullptr) return;
  const auto rules = random_rules(24, 50, data.attributes(), 6);
  counts_of(*evaluator, rules);
  EXPECT_FALSE(cuda::last_device_seconds(*evaluator));
  cuda::time_batches(*evaluator, true);
  counts_of(*evaluator, rules);
  const auto seconds = cuda::last_device_seconds(*evaluator);
  ASSERT_TRUE(seconds);
  EXPECT_GT(seconds->total, 0);
  EXPECT_LT(seconds->total, 10);
  if (std::get<0>(GetParam())) {
    EXPECT_GT(seconds->coverage, 0);
    EXPECT_GT(seconds->reduction, 0);
    EXPECT_NEAR(seconds->coverage + seconds->reduction, seconds->total, 1e-4);
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, EvaluatorOnDevice,
                         testing::Combine(testing::Bool(),
                                          testing::Values(Stay::resident, Stay::streamed)),
                         [](const auto& of) {
                           return std::string(std::get<0>(of.param) ? "InStages" : "Fused") +
                                  (std::get<1>(of.param) == Stay::resident ? "Resident"
                                                                           : "Streamed");
                         });

TEST(Device, TooLittleMemoryIsSaid) {
  const RandomTable table = random_table(29, 100'000, 7, false);
  const Dataset data = make_dataset(table.attributes, table.columns, 65536);
  const auto evaluator = on_device([&] { return cuda::make_evaluator(data, {}); });
  if (evaluator == nullptr) return;
  EXPECT_THROW(cuda::make_evaluator(data, {0, 4096}), BackendUnavailable);
}

}  // namespace
}  // namespace atl::test
