// Counting on a GPU, each way that it can go, against the reference on what needs
// more than a tile of rows or a word of terms.
#include <chrono>
#include <tuple>

#include <gtest/gtest.h>

#include "cuda/device/device.hpp"
#include "tests/cuda/device.hpp"
#include "tests/eval/backend.hpp"
#include "tests/support/random.hpp"

namespace atl::test {
namespace {

enum class Stay { resident, streamed };

/// Whether the stages are apart, and whether rows stay on the device.
class CountingOnDevice : public testing::TestWithParam<std::tuple<bool, Stay>> {
 protected:
  std::shared_ptr<Resident> load(const Dataset& data) const {
    const auto [in_stages, stay] = GetParam();
    std::uint64_t planes = 32;  // kept for a target's
    for (const Attribute& attribute : data.attributes()) {
      planes += attribute.planes() + attribute.has_missing;
    }
    auto resident = on_device([&] { return cuda::make_device({0, 0, in_stages})->load(data); });
    if (resident == nullptr || stay == Stay::resident) return resident;
    // Room for two buffers of a tile.
    return cuda::make_device({0, planes * 1024 * 2 * 10 / 9 + 1024, in_stages})->load(data);
  }
};

void expect_as_the_reference(Resident& resident, const Dataset& data, std::span<const Rule> rules,
                             const CountingOptions& options = {}) {
  const auto reference = make_reference_device()->load(data);
  EXPECT_EQ(counts_of(resident, rules, options), counts_of(*reference, rules, options));
}

constexpr std::uint64_t rows = 20'001;  // three tiles, the last of them short

TEST_P(CountingOnDevice, ManyTilesAndPartitions) {
  for (const bool missing : {false, true}) {
    const RandomTable table = random_table(5 + missing, rows, 9, missing);
    const Dataset data = make_dataset(table.attributes, table.columns, 12'288);
    const auto resident = load(data);
    if (resident == nullptr) return;
    const auto rules = with_bare_sides(random_rules(7, 5, data.attributes(), 12));
    for (const CountingOptions& options : all_options()) {
      expect_as_the_reference(*resident, data, rules, options);
    }
  }
}

TEST_P(CountingOnDevice, TilesOnTheBordersOfPartitions) {
  const RandomTable table = random_table(17, 50'001, 3, true);
  const Dataset data = make_dataset(table.attributes, table.columns, 4096 * 3);
  const auto resident = load(data);
  if (resident == nullptr) return;
  expect_as_the_reference(*resident, data, random_rules(18, 9, data.attributes(), 4));
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

TEST_P(CountingOnDevice, AttributesOfMorePlanesThanAPass) {
  for (const std::uint32_t codes : {257U, 65'536U, 1U << 20}) {
    for (const bool missing : {false, true}) {
      const Dataset data = wide_data(codes, 9000, missing);
      const auto resident = load(data);
      if (resident == nullptr) return;
      const auto rules = random_rules(codes, 12, data.attributes(), 8);
      expect_as_the_reference(*resident, data, rules);
      expect_as_the_reference(*resident, data, rules, {.comparison_supports = true});
    }
  }
}

TEST_P(CountingOnDevice, MoreRulesThanAPiece) {
  const RandomTable table = random_table(11, 40, 6, true);
  const Dataset data = make_dataset(table.attributes, table.columns, 4096);
  const auto resident = load(data);
  if (resident == nullptr) return;
  const auto rules = random_rules(12, 33'000, data.attributes(), 6);
  expect_as_the_reference(*resident, data, rules, {.comparison_supports = true});
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

TEST_P(CountingOnDevice, ExpressionsOfMoreTermsThanSharedMemoryHolds) {
  const RandomTable table = random_table(13, 9000, 5, false);
  const Dataset data = make_dataset(table.attributes, table.columns, 65536);
  const auto resident = load(data);
  if (resident == nullptr) return;
  const std::uint32_t last = static_cast<std::uint32_t>(data.attributes().size()) - 1;
  std::vector<Rule> rules;
  for (const std::uint32_t depth : {2U, 60U, 240U, 1000U}) {
    rules.push_back({nested(data.attributes(), depth), Expression::of({last, 0, 0, false})});
  }
  expect_as_the_reference(*resident, data, rules);
  expect_as_the_reference(*resident, data, rules,
                          {.comparison_supports = true, .coverage_hashes = true});
}

TEST_P(CountingOnDevice, MeansOfANumericAttribute) {
  for (const bool missing : {false, true}) {
    const Dataset data = wide_data(30'000, rows, missing);
    const auto resident = load(data);
    if (resident == nullptr) return;
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
        CountingOptions options;
        options.mean = {0, low, deviations};
        expect_as_the_reference(*resident, data, rules, options);
      }
    }
  }
}

TEST_P(CountingOnDevice, SeveralBatchesAtATime) {
  const RandomTable table = random_table(19, rows, 7, true);
  const Dataset data = make_dataset(table.attributes, table.columns, 65536);
  const auto resident = load(data);
  if (resident == nullptr) return;
  const auto reference = make_reference_device()->load(data);
  std::vector<std::vector<Rule>> batches;
  std::vector<std::unique_ptr<RuleCounter>> counters;
  for (std::uint64_t b = 0; b < 6; ++b) {
    batches.push_back(random_rules(b, 5 + b * 3, data.attributes(), 6));
    counters.push_back(resident->rule_counter());
    counters.back()->prepare(batches.back(), {.comparison_supports = b % 2 == 0});
    counters.back()->start();
  }
  for (const std::size_t b : {3, 0, 5, 1, 2, 4}) {
    std::vector<RuleCounts> counts(batches[b].size());
    counters[b]->finish();
    counters[b]->read(counts);
    EXPECT_EQ(counts, counts_of(*reference, batches[b], {.comparison_supports = b % 2 == 0}));
  }
}

// More than one launch takes, of several kinds, one of them of more terms than shared memory holds.
TEST_P(CountingOnDevice, ManyBatchesGoTogether) {
  const Dataset data = wide_data(3000, rows, true);
  const auto resident = load(data);
  if (resident == nullptr) return;
  const auto reference = make_reference_device()->load(data);
  const std::uint32_t last = static_cast<std::uint32_t>(data.attributes().size()) - 1;
  std::vector<CountingOptions> kinds(4);
  kinds[1].comparison_supports = true;
  kinds[2].coverage_hashes = true;
  kinds[3].mean = {0, true, true};
  std::vector<std::vector<Rule>> batches;
  std::vector<std::unique_ptr<RuleCounter>> counters;
  const auto options_of = [&](std::size_t b) { return kinds[b < 20 ? 0 : b % 4]; };
  for (std::uint64_t b = 0; b < 60; ++b) {
    auto rules = random_rules(b, 1 + b % 5, data.attributes().subspan(1), 6);
    for (Rule& rule : rules) {
      Comparisons moved(rule.antecedent.comparisons());
      for (Comparison& comparison : moved) ++comparison.attribute;
      rule = {Expression(Ops(rule.antecedent.program()), moved),
              Expression::of({0, 0, data.attributes()[0].distinct() - 1, false})};
    }
    if (b == 7) {
      rules.push_back({nested(data.attributes(), 1000), Expression::of({last, 0, 0, false})});
    }
    batches.push_back(std::move(rules));
    counters.push_back(resident->rule_counter());
    counters.back()->prepare(batches.back(), options_of(b));
  }
  for (int round = 0; round < 2; ++round) {
    for (auto& counter : counters) counter->start();
    for (std::size_t i = 0; i < counters.size(); ++i) {
      const std::size_t b = (i * 7 + 13) % counters.size();
      std::vector<RuleCounts> counts(batches[b].size());
      counters[b]->finish();
      counters[b]->read(counts);
      EXPECT_EQ(counts, counts_of(*reference, batches[b], options_of(b))) << b;
    }
    for (std::size_t b = 0; b < counters.size(); ++b) {
      counters[b]->prepare(batches[b], options_of(b));
    }
  }
  for (auto& counter : counters) counter->start();  // and is left
}

// Of sizes that ask for different amounts of shared memory.
TEST_P(CountingOnDevice, BatchesOnSeveralThreads) {
  const RandomTable table = random_table(41, rows, 7, true);
  const Dataset data = make_dataset(table.attributes, table.columns, 65536);
  const auto resident = load(data);
  if (resident == nullptr) return;
  const CountingOptions options{.comparison_supports = true};
  std::vector<std::vector<Rule>> rules;
  std::vector<std::vector<RuleCounts>> expected;
  std::vector<std::unique_ptr<RuleCounter>> counters;
  for (const std::uint64_t size : {10U, 4000U, 300U, 1500U}) {
    rules.push_back(random_rules(size, size, data.attributes(), 6));
    expected.push_back(counts_of(*resident, rules.back(), options));
    counters.push_back(resident->rule_counter());
  }
  ThreadPool pool(4);
  pool.wait(pool.submit(counters.size(), [&](std::size_t b, unsigned) {
    for (std::size_t round = 0; round < 20; ++round) {
      const std::size_t set = (b + round) % rules.size();
      std::vector<RuleCounts> counts(rules[set].size());
      counters[b]->prepare(rules[set], options);
      counters[b]->start();
      counters[b]->finish();
      counters[b]->read(counts);
      EXPECT_TRUE(counts == expected[set]) << set;
    }
    counters[b]->prepare(rules[b], options);
    counters[b]->start();
  }));
  for (std::size_t b = 0; b < counters.size(); ++b) {  // on another thread
    std::vector<RuleCounts> counts(rules[b].size());
    counters[b]->finish();
    counters[b]->read(counts);
    EXPECT_TRUE(counts == expected[b]) << b;
  }
}

TEST_P(CountingOnDevice, SaysHowLongTheDeviceWasBusy) {
  const RandomTable table = random_table(43, rows, 7, false);
  const Dataset data = make_dataset(table.attributes, table.columns, 65536);
  const auto resident = load(data);
  if (resident == nullptr) return;
  EXPECT_EQ(resident->device().busy_seconds()->all, 0);
  const auto rules = random_rules(24, 50, data.attributes(), 6);
  const auto start = std::chrono::steady_clock::now();
  counts_of(*resident, rules);
  const double first = resident->device().busy_seconds()->all;
  EXPECT_GT(first, 0);
  for (int i = 0; i < 3; ++i) counts_of(*resident, rules);
  EXPECT_GT(resident->device().busy_seconds()->all, first);
  EXPECT_EQ(resident->device().busy_seconds()->counts, resident->device().busy_seconds()->all);
  EXPECT_EQ(resident->device().busy_seconds()->fits, 0);
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
  EXPECT_LT(resident->device().busy_seconds()->all, passed.count());
}

TEST_P(CountingOnDevice, SaysHowLongTheDeviceTook) {
  const RandomTable table = random_table(23, rows, 7, false);
  const Dataset data = make_dataset(table.attributes, table.columns, 65536);
  const auto resident = load(data);
  if (resident == nullptr) return;
  const auto rules = random_rules(24, 50, data.attributes(), 6);
  const auto counter = resident->rule_counter();
  const auto count = [&](bool timed) {
    counter->prepare(rules, {.time_kernels = timed});
    counter->start();
    counter->finish();
    return counter->kernel_seconds();
  };
  EXPECT_FALSE(count(false));
  const auto seconds = count(true);
  ASSERT_TRUE(seconds);
  EXPECT_GT(seconds->total, 0);
  EXPECT_LT(seconds->total, 10);
  if (std::get<0>(GetParam())) {
    EXPECT_GT(seconds->coverage, 0);
    EXPECT_GT(seconds->reduction, 0);
    EXPECT_NEAR(seconds->coverage + seconds->reduction, seconds->total, 1e-4);
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, CountingOnDevice,
                         testing::Combine(testing::Bool(),
                                          testing::Values(Stay::resident, Stay::streamed)),
                         [](const auto& of) {
                           return std::string(std::get<0>(of.param) ? "InStages" : "Fused") +
                                  (std::get<1>(of.param) == Stay::resident ? "Resident"
                                                                           : "Streamed");
                         });

TEST(CudaDevice, TooLittleMemoryIsSaid) {
  const RandomTable table = random_table(29, 100'000, 7, false);
  const Dataset data = make_dataset(table.attributes, table.columns, 65536);
  const auto resident = on_device([&] { return cuda::make_device({})->load(data); });
  if (resident == nullptr) return;
  EXPECT_THROW(cuda::make_device({0, 4096})->load(data), BackendUnavailable);
}

// Three tables of which the device holds one or two at a time, in turns and on several threads.
TEST(CudaDevice, CountsOnMoreTablesThanItHolds) {
  std::vector<Dataset> tables;
  for (const std::uint64_t seed : {31U, 32U, 33U}) {
    const RandomTable table = random_table(seed, 40'000 + seed, 7, true);
    tables.push_back(make_dataset(table.attributes, table.columns, 65536));
  }
  std::vector<std::vector<Rule>> rules;
  std::vector<std::vector<RuleCounts>> expected;
  for (const Dataset& data : tables) {
    rules.push_back(random_rules(data.rows(), 200, data.attributes(), 6));
    expected.push_back(counts_of(*make_reference_device()->load(data), rules.back()));
  }
  // A table takes up to 64 planes of 5 tiles of 1 KiB, and a tenth is left free.
  for (const std::uint64_t tables_held : {1U, 2U}) {
    const auto device = on_device([&] {
      return cuda::make_device({0, tables_held * 64 * 5 * 1024 * 10 / 9 + 4096});
    });
    if (device == nullptr) return;
    std::vector<std::shared_ptr<Resident>> residents;
    for (const Dataset& data : tables) residents.push_back(device->load(data));
    for (const std::size_t t : {0, 1, 2, 0, 2, 1, 1, 0}) {
      EXPECT_EQ(counts_of(*residents[t], rules[t]), expected[t]) << tables_held << ' ' << t;
    }
    std::vector<std::unique_ptr<RuleCounter>> counters;
    for (std::size_t c = 0; c < 6; ++c) counters.push_back(residents[c % 3]->rule_counter());
    ThreadPool pool(6);
    pool.wait(pool.submit(counters.size(), [&](std::size_t c, unsigned) {
      const std::size_t t = c % 3;
      for (int round = 0; round < 30; ++round) {
        std::vector<RuleCounts> counts(rules[t].size());
        counters[c]->prepare(rules[t], {});
        counters[c]->start();
        counters[c]->finish();
        counters[c]->read(counts);
        EXPECT_TRUE(counts == expected[t]) << tables_held << ' ' << t;
      }
    }));
  }
}

}  // namespace
}  // namespace atl::test
