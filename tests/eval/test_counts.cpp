// The contract of counting, for every kind of device.
#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "src/core/row_hash.hpp"
#include "tests/eval/backend.hpp"

namespace atl::test {
namespace {

constexpr std::uint32_t missing = missing_code;

// Seven rows:      row  0  1  2  3  4  5  6
//   size (numeric)      0  1  2  3  4  -  2
//   colour (nominal)    0  1  1  0  2  1  -
//   sold (nominal)      0  0  1  1  1  0  1
Dataset shop() {
  Attribute size;
  size.name = "size";
  size.has_missing = true;
  size.low = size.high = {1, 2, 3, 5, 8};
  Attribute colour;
  colour.name = "colour";
  colour.kind = AttributeKind::nominal;
  colour.has_missing = true;
  colour.labels = {"blue", "green", "red"};
  Attribute sold;
  sold.name = "sold";
  sold.kind = AttributeKind::nominal;
  sold.labels = {"no", "yes"};
  return make_dataset(
      {size, colour, sold},
      {{0, 1, 2, 3, 4, missing, 2}, {0, 1, 1, 0, 2, 1, missing}, {0, 0, 1, 1, 1, 0, 1}});
}

constexpr Comparison size_at_least_3{0, 2, 4, false};
constexpr Comparison size_not_3{0, 2, 2, true};
constexpr Comparison green{1, 1, 1, false};
constexpr Comparison not_green{1, 1, 1, true};
constexpr Comparison yes{2, 1, 1, false};

Rule rule(const Comparison& antecedent, const Comparison& consequent) {
  return {Expression::of(antecedent), Expression::of(consequent)};
}

std::uint64_t hash_of(std::initializer_list<std::uint64_t> rows) {
  std::uint64_t sum = 0;
  for (const std::uint64_t row : rows) sum += row_hash(row);
  return sum;
}

TEST(Counts, OfOneRuleByHand) {
  const Dataset data = shop();
  const auto resident = load(data);
  EXPECT_EQ(resident->device().name(), backend_name());
  const auto counts = resident->count(std::vector{rule(size_at_least_3, yes)}, {});
  EXPECT_EQ(counts[0].table, (ContingencyTable{7, 4, 4, 4}));
  EXPECT_EQ(counts[0].missing_consequent, 0U);
  EXPECT_TRUE(counts[0].comparison_supports.empty());
  EXPECT_EQ(counts[0].coverage_hash, (std::array<std::uint64_t, 2>{0, 0}));
}

TEST(Counts, ComparisonsAreFalseOnMissingValuesAndNotIsTwoValued) {
  const Dataset data = shop();
  const auto resident = load(data);
  const Expression negation({Op::comparison, Op::negation}, {green});
  const std::vector<Rule> rules = {
      rule(yes, green),                 // rows 1 2 5
      rule(yes, not_green),             // rows 0 3 4
      {Expression::of(yes), negation},  // rows 0 3 4 6
      rule(yes, size_not_3),            // rows 0 1 3 4
  };
  const auto counts = resident->count(rules, {});
  EXPECT_EQ(counts[0].table, (ContingencyTable{7, 4, 3, 1}));
  EXPECT_EQ(counts[1].table, (ContingencyTable{7, 4, 3, 2}));
  EXPECT_EQ(counts[2].table, (ContingencyTable{7, 4, 4, 3}));
  EXPECT_EQ(counts[3].table, (ContingencyTable{7, 4, 4, 2}));
  EXPECT_EQ(counts[0].missing_consequent, 1U);
  EXPECT_EQ(counts[3].missing_consequent, 1U);
}

TEST(Counts, RowsWithMissingConsequentAreLeftOutOfAllFourOnRequest) {
  const Dataset data = shop();
  const auto resident = load(data);
  const Expression negation({Op::comparison, Op::negation}, {green});
  const Expression either({Op::comparison, Op::comparison, Op::disjunction}, {green, size_not_3});
  const std::vector<Rule> rules = {
      {Expression::of(yes), negation},
      {Expression::of(yes), either},  // rows 0 1 2 3 4 5, of which 5 and 6 have a missing value
      rule(green, yes),
  };
  CountingOptions options;
  options.exclude_missing_consequent = true;
  const auto counts = resident->count(rules, options);
  EXPECT_EQ(counts[0].table, (ContingencyTable{6, 3, 3, 2}));
  EXPECT_EQ(counts[0].missing_consequent, 1U);
  EXPECT_EQ(counts[1].table, (ContingencyTable{5, 3, 5, 3}));
  EXPECT_EQ(counts[1].missing_consequent, 2U);
  EXPECT_EQ(counts[2].table, (ContingencyTable{7, 3, 4, 1}));
}

TEST(Counts, SupportsAndCoverageAreOfAllRows) {
  const Dataset data = shop();
  const auto resident = load(data);
  CountingOptions options{true, true, true, true};
  const std::vector<Rule> rules = {
      {Expression::conjunction(std::vector{size_at_least_3, yes}), Expression::of(not_green)},
      {Expression({Op::comparison, Op::negation}, {yes}), Expression::of(green)},
  };
  const auto counts = resident->count(rules, options);
  EXPECT_EQ(counts[0].comparison_supports, (std::vector<std::uint64_t>{4, 4, 3}));
  EXPECT_EQ(counts[0].coverage_hash[0], hash_of({2, 3, 4, 6}));
  EXPECT_EQ(counts[0].coverage_hash[1], hash_of({0, 3, 4}));
  EXPECT_EQ(counts[1].comparison_supports, (std::vector<std::uint64_t>{4, 3}));
  EXPECT_EQ(counts[1].coverage_hash[0], hash_of({0, 1, 5}));
  EXPECT_EQ(counts[1].coverage_hash[1], hash_of({1, 2, 5}));
}

TEST(Counts, CodesOutsideOfTheDictionaryAreNowhere) {
  const Dataset data = shop();
  const auto resident = load(data);
  const std::vector<Rule> rules = {
      rule({0, 5, 9, false}, yes),  // no code
      rule({0, 5, 9, true}, yes),   // every code
      rule({0, 3, 0xFFFFFFFE, false}, yes), rule({0, 0, 0xFFFFFFFE, false}, yes),
      rule({0, 0, 0xFFFFFFFE, true}, yes),  rule({2, 2, 2, false}, green),
      rule({2, 2, 2, true}, green),
  };
  std::vector<std::uint64_t> antecedents;
  for (const RuleStatistics& counts : resident->count(rules, {})) {
    antecedents.push_back(counts.table.n_antecedent);
  }
  EXPECT_EQ(antecedents, (std::vector<std::uint64_t>{0, 6, 2, 6, 0, 0, 7}));
}

TEST(Counts, EmptyExpressionHoldsEverywhere) {
  const Dataset data = shop();
  const auto resident = load(data);
  const std::vector<Rule> rules = {{Expression(), Expression::of(green)}};
  EXPECT_EQ(resident->count(rules, {})[0].table, (ContingencyTable{7, 7, 3, 3}));
}

TEST(Counts, EmptyExpressionHoldsEverywhereBesideNestedOnes) {
  const Dataset data = shop();
  const auto resident = load(data);
  const Expression nested(
      {Op::comparison, Op::comparison, Op::disjunction, Op::comparison, Op::conjunction},
      {green, size_at_least_3, yes});
  const std::vector<Rule> rules = {
      {Expression(), Expression::of(green)}, {nested, Expression()}, {Expression(), nested}};
  const auto counts = resident->count(rules, {});
  const std::uint64_t both = counts[1].table.n_both;
  EXPECT_GT(both, 0U);
  EXPECT_LT(both, 7U);
  EXPECT_EQ(counts[0].table, (ContingencyTable{7, 7, 3, 3}));
  EXPECT_EQ(counts[1].table, (ContingencyTable{7, both, 7, both}));
  EXPECT_EQ(counts[2].table, (ContingencyTable{7, 7, both, both}));
}

TEST(Counts, UnknownAttributeIsRefusedBeforeAnythingStarts) {
  const Dataset data = shop();
  const auto resident = load(data);
  const auto counter = resident->rule_counter();
  const std::vector<Rule> bad = {rule(size_at_least_3, yes), rule(green, {3, 0, 0, false})};
  try {
    counter->prepare(bad, {});
    FAIL() << "attribute 3 was accepted";
  } catch (const UnknownAttribute& error) {
    EXPECT_EQ(error.rule, 1U);
    EXPECT_EQ(error.attribute, 3U);
  }
  const std::vector<Rule> good = {rule(size_at_least_3, yes)};
  counter->prepare(good, {});
  counter->start();
  counter->finish();
  std::vector<RuleCounts> counts(1);
  counter->read(counts);
  EXPECT_EQ(counts[0].both, 4U);
  EXPECT_EQ(resident->count(good, {})[0].table, (ContingencyTable{7, 4, 4, 4}));
}

TEST(Counts, BatchesMayBeFinishedInAnyOrder) {
  const Dataset data = shop();
  const auto resident = load(data);
  const auto first = resident->rule_counter();
  const auto second = resident->rule_counter();
  const auto none = resident->rule_counter();
  first->prepare(std::vector{rule(green, yes)}, {});
  second->prepare(std::vector{rule(yes, green), rule(yes, yes)}, {});
  none->prepare({}, {});
  for (RuleCounter* const counter : {first.get(), second.get(), none.get()}) counter->start();
  second->finish();
  std::vector<RuleCounts> two(2);
  second->read(two);
  EXPECT_EQ(
      two[0],
      (RuleCounts{.n = 7, .antecedent = 4, .consequent = 3, .both = 1, .missing_consequent = 1}));
  first->finish();
  std::vector<RuleCounts> one(1);
  one[0].comparison_supports = {1, 2, 3};
  one[0].coverage_hash = {4, 5};
  one[0].sum = one[0].squares_low = one[0].squares_high = 6;
  first->read(one);
  EXPECT_EQ(one[0], (RuleCounts{.n = 7, .antecedent = 3, .consequent = 4, .both = 1}));
  none->finish();
  none->read({});
}

TEST(Counts, AreReadyInTheEnd) {
  const Dataset data = shop();
  const auto resident = load(data);
  const auto counter = resident->rule_counter();
  counter->prepare(std::vector{rule(green, yes)}, {});
  counter->start();
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!counter->ready()) {
    ASSERT_LT(std::chrono::steady_clock::now(), deadline);
    std::this_thread::yield();
  }
  counter->finish();
  std::vector<RuleCounts> one(1);
  counter->read(one);
  EXPECT_EQ(one[0], (RuleCounts{.n = 7, .antecedent = 3, .consequent = 4, .both = 1}));
}

TEST(Counts, NoRows) {
  const Dataset data = make_dataset({shop().attributes()[2]}, {{}});
  const auto resident = load(data);
  const std::vector<Rule> rules = {rule({0, 1, 1, false}, {0, 0, 0, false})};
  EXPECT_EQ(resident->count(rules, {})[0], RuleStatistics{});
}

/// Rows [first, end) of a table.
Dataset shard_of(const RandomTable& table, std::uint64_t first, std::uint64_t end) {
  DatasetBuilder builder(table.attributes, 8192, first);
  std::vector<std::span<const std::uint32_t>> codes;
  for (const auto& column : table.columns) {
    codes.push_back(std::span(column).subspan(first, end - first));
  }
  builder.append(end - first, codes);
  return builder.finish({});
}

// A shard's rows are hashed by their position in the whole dataset.
TEST(Counts, OfShardsAddUp) {
  const RandomTable table = random_table(3, 9000, 5, true);
  const Dataset whole = make_dataset(table.attributes, table.columns, 4096);
  std::vector<Rule> rules = random_rules(3, 10, table.attributes, 4);
  const auto number =
      std::find_if(table.attributes.begin(), table.attributes.end(),
                   [](const Attribute& a) { return a.kind == AttributeKind::numeric; });
  ASSERT_NE(number, table.attributes.end());
  const auto target = static_cast<std::uint32_t>(number - table.attributes.begin());
  std::vector<CountingOptions> options = all_options();
  for (CountingOptions& of : all_options()) {
    of.mean = MeanTarget{.attribute = target, .low = false, .deviations = true};
    options.push_back(of);
  }
  const auto resident = load(whole);
  for (const CountingOptions& of : options) {
    if (of.mean) {
      const Comparison any{target, 0, number->distinct() - 1, false};
      for (Rule& rule : rules) rule.consequent = Expression::of(any);
    }
    const std::vector<RuleCounts> expected = counts_of(*resident, rules, of);
    std::vector<RuleCounts> total;
    for (const auto& [first, end] : {std::pair{0U, 4096U}, std::pair{4096U, 9000U}}) {
      const Dataset shard = shard_of(table, first, end);
      const auto part = counts_of(*load(shard), rules, of);
      if (total.empty()) {
        total = part;
      } else {
        for (std::size_t r = 0; r < rules.size(); ++r) total[r] += part[r];
      }
    }
    for (std::size_t r = 0; r < rules.size(); ++r) {
      // Sums of squares may carry over from their lower parts.
      const TargetTotals* const totals = resident->target_totals(of);
      EXPECT_EQ(statistics_of(total[r], of, totals), statistics_of(expected[r], of, totals));
      EXPECT_EQ(total[r].sum, expected[r].sum);
      EXPECT_EQ(expected[r].sum > 0, of.mean.has_value());
    }
  }
}

class CountsOfRandomRules : public testing::TestWithParam<std::uint64_t> {};

TEST_P(CountsOfRandomRules, EqualTheReference) {
  const std::uint64_t rows = GetParam();
  for (const bool with_missing : {false, true}) {
    const RandomTable table = random_table(rows * 2 + with_missing, rows, 9, with_missing);
    const Dataset data = make_dataset(table.attributes, table.columns, 4096);
    const auto rules = random_rules(rows, rows < 1000 ? 60 : 6, data.attributes(), 12);
    const auto reference = make_reference_device()->load(data);
    const auto resident = load(data);
    for (const CountingOptions& options : all_options()) {
      EXPECT_EQ(counts_of(*resident, rules, options), counts_of(*reference, rules, options));
      EXPECT_EQ(resident->count(rules, options), reference->count(rules, options));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, CountsOfRandomRules,
                         testing::Values(1, 31, 32, 33, 63, 64, 65, 4095, 4097, 10000));

}  // namespace
}  // namespace atl::test
