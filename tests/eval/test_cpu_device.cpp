// What is particular to the CPU: threads, instruction sets, batches in flight.
#define HWY_WANT_AVX3_DL
#include <set>

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include "src/eval/batch.hpp"
#include "tests/eval/backend.hpp"

namespace atl::test {
namespace {

struct Case {
  explicit Case(std::uint64_t rows, std::uint32_t attributes = 9)
      : table(random_table(rows, rows, attributes, true)),
        data(make_dataset(table.attributes, table.columns, 4096)) {}
  RandomTable table;
  Dataset data;
};

TEST(CpuDevice, AnyNumberOfThreadsCountsTheSame) {
  const Case sample(20000);
  const auto rules = random_rules(1, 6, sample.data.attributes(), 8);
  const CountingOptions options{true, true, true, true};
  const auto expected = counts_of(*make_reference_device()->load(sample.data), rules, options);
  for (const unsigned threads : {1U, 2U, 3U, 7U}) {
    ThreadPool pool(threads);
    EXPECT_EQ(counts_of(*make_cpu_device(pool)->load(sample.data), rules, options), expected);
  }
}

TEST(CpuDevice, CountsBatchesOfThePoolsOwnTasks) {
  const Case sample(20000);
  const CountingOptions options{.comparison_supports = true};
  for (const unsigned threads : {1U, 2U, 4U}) {
    ThreadPool pool(threads);
    const auto resident = make_cpu_device(pool)->load(sample.data);
    std::vector<std::unique_ptr<RuleCounter>> counters;
    for (int task = 0; task < 3; ++task) counters.push_back(resident->rule_counter());
    pool.wait(pool.submit(counters.size(), [&](std::size_t b, unsigned) {
      const auto reference = make_reference_device()->load(sample.data);
      for (std::uint64_t round = 0; round < 3; ++round) {
        const auto rules = random_rules(b * 100 + round, 4, sample.data.attributes(), 6);
        counters[b]->prepare(rules, options);
        counters[b]->start();
        counters[b]->finish();
        std::vector<RuleCounts> counts(rules.size());
        counters[b]->read(counts);
        EXPECT_EQ(counts, counts_of(*reference, rules, options));
      }
    }));
  }
}

TEST(CpuDevice, EveryInstructionSetCountsTheSame) {
  ThreadPool pool(1);
  std::set<std::int64_t> tried;
  for (const std::uint64_t rows : {1U, 65U, 2047U, 4097U}) {
    const Case sample(rows);
    const auto rules = random_rules(rows, rows < 100 ? 20 : 5, sample.data.attributes(), 10);
    const auto reference = make_reference_device()->load(sample.data);
    std::vector<std::vector<RuleCounts>> expected;
    for (const auto& options : all_options()) {
      expected.push_back(counts_of(*reference, rules, options));
    }
    hwy::SetSupportedTargetsForTest(0);
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
      SCOPED_TRACE(hwy::TargetName(target));
      hwy::SetSupportedTargetsForTest(target);
      tried.insert(target);
      const auto resident = make_cpu_device(pool)->load(sample.data);
      for (std::size_t o = 0; o < expected.size(); ++o) {
        EXPECT_EQ(counts_of(*resident, rules, all_options()[o]), expected[o]);
      }
    }
    hwy::SetSupportedTargetsForTest(0);
  }
#if HWY_ARCH_X86
  EXPECT_GE(tried.size(), 3U) << "fewer than SSE4, SSSE3 and the portable code";
#endif
}

// One-sided comparisons, equalities and intervals, on codes of 1 to 10 planes.
TEST(CpuDevice, EveryBoundOfEveryNumberOfPlanesIsCountedOnEveryInstructionSet) {
  constexpr std::uint32_t rows = 1024;
  std::vector<Attribute> attributes;
  std::vector<std::vector<std::uint32_t>> columns;
  std::vector<Rule> rules;
  for (std::uint32_t planes = 1; planes <= 10; ++planes) {
    const std::uint32_t codes = 1U << planes;
    Attribute attribute;
    std::vector<std::uint32_t> column;
    for (std::uint32_t code = 0; code < codes; ++code) attribute.low.push_back(code);
    attribute.high = attribute.low;
    for (std::uint32_t row = 0; row < rows; ++row) column.push_back(row * 37 % codes);
    const auto index = static_cast<std::uint32_t>(attributes.size());
    for (const char* const name : {"a", "b"}) {
      attribute.name = name + std::to_string(planes);
      attributes.push_back(attribute);
      columns.push_back(column);
    }
    for (std::uint32_t code = 0; code < codes; ++code) {
      const std::uint32_t end = code + code * 7 % (codes - code);
      rules.push_back(
          {Expression::of({index, 0, code, false}), Expression::of({index + 1, code, end, false})});
      rules.push_back({Expression::of({index, code, code, false}),
                       Expression::of({index + 1, code, codes - 1, false})});
    }
  }
  const Dataset data = make_dataset(attributes, columns);
  const CountingOptions options{true, true, true, true};
  const auto expected = counts_of(*make_reference_device()->load(data), rules, options);
  ThreadPool pool(1);
  hwy::SetSupportedTargetsForTest(0);
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    EXPECT_EQ(counts_of(*make_cpu_device(pool)->load(data), rules, options), expected);
  }
  hwy::SetSupportedTargetsForTest(0);
}

TEST(CpuDevice, ManyBatchesInFlight) {
  const Case sample(5000);
  const auto reference = make_reference_device()->load(sample.data);
  for (const unsigned threads : {1U, 2U, 3U}) {
    ThreadPool pool(threads);
    const auto resident = make_cpu_device(pool)->load(sample.data);
    std::vector<std::vector<Rule>> rules;
    std::vector<std::unique_ptr<RuleCounter>> counters;
    for (std::uint64_t b = 0; b < 20; ++b) {
      rules.push_back(random_rules(b, b % 7, sample.data.attributes(), 6));
      counters.push_back(resident->rule_counter());
      counters.back()->prepare(rules.back(), all_options()[b % 16]);
      counters.back()->start();
    }
    for (std::size_t b = 0; b < counters.size(); ++b) {
      const std::size_t turn = b ^ 1;  // not in the order of their start
      std::vector<RuleCounts> counts(rules[turn].size());
      counters[turn]->finish();
      counters[turn]->read(counts);
      EXPECT_EQ(counts, counts_of(*reference, rules[turn], all_options()[turn % 16]));
    }
  }
}

TEST(CpuDevice, EndsWithBatchesInFlight) {
  const Case sample(5000);
  ThreadPool pool(2);
  const auto rules = random_rules(1, 50, sample.data.attributes(), 6);
  {
    const auto resident = make_cpu_device(pool)->load(sample.data);
    std::vector<std::unique_ptr<RuleCounter>> counters;
    for (int b = 0; b < 5; ++b) {
      counters.push_back(resident->rule_counter());
      counters.back()->prepare(rules, {});
      counters.back()->start();
    }
  }
  const auto resident = make_cpu_device(pool)->load(sample.data);
  EXPECT_EQ(counts_of(*resident, rules),
            counts_of(*make_reference_device()->load(sample.data), rules));
}

// Many groups of rules, a right-deep expression of a thousand comparisons.
TEST(CpuDevice, LargeBatchesAndDeepExpressions) {
  const Case sample(70, 12);
  const auto some = random_rules(5, 2500, sample.data.attributes(), 8);
  std::vector<Rule> rules = some;
  rules.insert(rules.end(), some.begin(), some.end());
  std::vector<Op> program(1000, Op::comparison);
  std::vector<Comparison> comparisons;
  RandomStream stream({7, 0, 0, 0, Purpose::test});
  for (std::size_t i = 0; i < 1000; ++i) {
    const auto attribute = static_cast<std::uint32_t>(stream.below(12));
    comparisons.push_back({attribute, 0, static_cast<std::uint32_t>(stream.below(9)), false});
    if (i > 0) program.push_back(i % 2 == 0 ? Op::conjunction : Op::disjunction);
    if (i % 3 == 0) program.push_back(Op::negation);
  }
  rules.push_back({Expression(program, comparisons), Expression::of({0, 0, 0, false})});

  Batch batch;
  batch.compile(rules, sample.data.attributes(), {});
  EXPECT_GE(batch.groups().size(), 10U);
  EXPECT_GE(batch.groups().back().terms, 600U);

  ThreadPool pool(2);
  const auto resident = make_cpu_device(pool)->load(sample.data);
  const auto reference = make_reference_device()->load(sample.data);
  for (const CountingOptions& options :
       {CountingOptions{}, CountingOptions{true, true, true, true}}) {
    const auto counts = counts_of(*resident, rules, options);
    EXPECT_EQ(counts, counts_of(*reference, rules, options));
  }
}

// The code is made for each number of planes up to 8; beyond, it takes them one by one.
TEST(CpuDevice, AnyNumberOfPlanes) {
  constexpr std::uint32_t most = 11;
  std::vector<Attribute> attributes(most);
  std::vector<std::vector<std::uint32_t>> columns(most);
  RandomStream stream({3, 0, 0, 0, Purpose::test});
  for (std::uint32_t planes = 1; planes <= most; ++planes) {
    Attribute& attribute = attributes[planes - 1];
    attribute.has_missing = planes % 2 == 0;
    for (std::uint32_t code = 0; code < 1U << planes; ++code) attribute.low.push_back(code);
    attribute.high = attribute.low;
    attribute.exact_distinct = attribute.low.size();
    for (int row = 0; row < 1500; ++row) {
      const auto code = static_cast<std::uint32_t>(stream.below(attribute.distinct()));
      const bool missing = attribute.has_missing && stream.chance(0.2);
      columns[planes - 1].push_back(missing ? missing_code : code);
    }
  }
  const Dataset data = make_dataset(attributes, columns, 4096);
  std::vector<Rule> rules;
  for (std::uint32_t a = 0; a < most; ++a) {
    const std::uint32_t codes = attributes[a].distinct();
    const Expression other = Expression::of({(a + 1) % most, 1, 1, false});
    for (const bool negated : {false, true}) {
      for (std::uint32_t bound = 0; bound < codes; bound += 1 + codes / 40) {
        rules.push_back({Expression::of({a, 0, bound, negated}), other});
        rules.push_back({Expression::of({a, bound, codes - 1, negated}), other});
        rules.push_back({Expression::of({a, bound, bound, negated}), other});
        rules.push_back({Expression::of({a, bound, bound + codes / 3, negated}), other});
      }
    }
  }
  ThreadPool pool(1);
  for (const bool supports : {false, true}) {
    CountingOptions options;
    options.comparison_supports = supports;
    EXPECT_EQ(counts_of(*make_cpu_device(pool)->load(data), rules, options),
              counts_of(*make_reference_device()->load(data), rules, options));
  }
}

}  // namespace
}  // namespace atl::test
