// The evaluator's contract, for every backend.
#include <gtest/gtest.h>

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
  const auto evaluator = make_backend(data);
  EXPECT_EQ(evaluator->name(), backend_name());
  const auto counts = counts_of(*evaluator, std::vector{rule(size_at_least_3, yes)});
  EXPECT_EQ(counts[0].table, (ContingencyTable{7, 4, 4, 4}));
  EXPECT_EQ(counts[0].missing_consequent, 0U);
  EXPECT_TRUE(counts[0].comparison_supports.empty());
  EXPECT_EQ(counts[0].coverage_hash, (std::array<std::uint64_t, 2>{0, 0}));
}

TEST(Counts, ComparisonsAreFalseOnMissingValuesAndNotIsTwoValued) {
  const Dataset data = shop();
  const auto evaluator = make_backend(data);
  const Expression negation({Op::comparison, Op::negation}, {green});
  const std::vector<Rule> rules = {
      rule(yes, green),                 // rows 1 2 5
      rule(yes, not_green),             // rows 0 3 4
      {Expression::of(yes), negation},  // rows 0 3 4 6
      rule(yes, size_not_3),            // rows 0 1 3 4
  };
  const auto counts = counts_of(*evaluator, rules);
  EXPECT_EQ(counts[0].table, (ContingencyTable{7, 4, 3, 1}));
  EXPECT_EQ(counts[1].table, (ContingencyTable{7, 4, 3, 2}));
  EXPECT_EQ(counts[2].table, (ContingencyTable{7, 4, 4, 3}));
  EXPECT_EQ(counts[3].table, (ContingencyTable{7, 4, 4, 2}));
  EXPECT_EQ(counts[0].missing_consequent, 1U);
  EXPECT_EQ(counts[3].missing_consequent, 1U);
}

TEST(Counts, RowsWithMissingConsequentAreLeftOutOfAllFourOnRequest) {
  const Dataset data = shop();
  const auto evaluator = make_backend(data);
  const Expression negation({Op::comparison, Op::negation}, {green});
  const Expression either({Op::comparison, Op::comparison, Op::disjunction}, {green, size_not_3});
  const std::vector<Rule> rules = {
      {Expression::of(yes), negation},
      {Expression::of(yes), either},  // rows 0 1 2 3 4 5, of which 5 and 6 have a missing value
      rule(green, yes),
  };
  EvaluateOptions options;
  options.exclude_missing_consequent = true;
  const auto counts = counts_of(*evaluator, rules, options);
  EXPECT_EQ(counts[0].table, (ContingencyTable{6, 3, 3, 2}));
  EXPECT_EQ(counts[0].missing_consequent, 1U);
  EXPECT_EQ(counts[1].table, (ContingencyTable{5, 3, 5, 3}));
  EXPECT_EQ(counts[1].missing_consequent, 2U);
  EXPECT_EQ(counts[2].table, (ContingencyTable{7, 3, 4, 1}));
}

TEST(Counts, SupportsAndCoverageAreOfAllRows) {
  const Dataset data = shop();
  const auto evaluator = make_backend(data);
  EvaluateOptions options{true, true, true, true};
  const std::vector<Rule> rules = {
      {Expression::conjunction(std::vector{size_at_least_3, yes}), Expression::of(not_green)},
      {Expression({Op::comparison, Op::negation}, {yes}), Expression::of(green)},
  };
  const auto counts = counts_of(*evaluator, rules, options);
  EXPECT_EQ(counts[0].comparison_supports, (std::vector<std::uint64_t>{4, 4, 3}));
  EXPECT_EQ(counts[0].coverage_hash[0], hash_of({2, 3, 4, 6}));
  EXPECT_EQ(counts[0].coverage_hash[1], hash_of({0, 3, 4}));
  EXPECT_EQ(counts[1].comparison_supports, (std::vector<std::uint64_t>{4, 3}));
  EXPECT_EQ(counts[1].coverage_hash[0], hash_of({0, 1, 5}));
  EXPECT_EQ(counts[1].coverage_hash[1], hash_of({1, 2, 5}));
}

TEST(Counts, CodesOutsideOfTheDictionaryAreNowhere) {
  const Dataset data = shop();
  const auto evaluator = make_backend(data);
  const std::vector<Rule> rules = {
      rule({0, 5, 9, false}, yes),  // no code
      rule({0, 5, 9, true}, yes),   // every code
      rule({0, 3, 0xFFFFFFFE, false}, yes), rule({0, 0, 0xFFFFFFFE, false}, yes),
      rule({0, 0, 0xFFFFFFFE, true}, yes),  rule({2, 2, 2, false}, green),
      rule({2, 2, 2, true}, green),
  };
  std::vector<std::uint64_t> antecedents;
  for (const RuleCounts& counts : counts_of(*evaluator, rules)) {
    antecedents.push_back(counts.table.n_antecedent);
  }
  EXPECT_EQ(antecedents, (std::vector<std::uint64_t>{0, 6, 2, 6, 0, 0, 7}));
}

TEST(Counts, EmptyExpressionHoldsEverywhere) {
  const Dataset data = shop();
  const auto evaluator = make_backend(data);
  const std::vector<Rule> rules = {{Expression(), Expression::of(green)}};
  EXPECT_EQ(counts_of(*evaluator, rules)[0].table, (ContingencyTable{7, 7, 3, 3}));
}

TEST(Counts, EmptyExpressionHoldsEverywhereBesideNestedOnes) {
  const Dataset data = shop();
  const auto evaluator = make_backend(data);
  const Expression nested(
      {Op::comparison, Op::comparison, Op::disjunction, Op::comparison, Op::conjunction},
      {green, size_at_least_3, yes});
  const std::vector<Rule> rules = {
      {Expression(), Expression::of(green)}, {nested, Expression()}, {Expression(), nested}};
  const auto counts = counts_of(*evaluator, rules);
  const std::uint64_t both = counts[1].table.n_both;
  EXPECT_GT(both, 0U);
  EXPECT_LT(both, 7U);
  EXPECT_EQ(counts[0].table, (ContingencyTable{7, 7, 3, 3}));
  EXPECT_EQ(counts[1].table, (ContingencyTable{7, both, 7, both}));
  EXPECT_EQ(counts[2].table, (ContingencyTable{7, 7, both, both}));
}

TEST(Counts, UnknownAttributeIsRefusedBeforeAnythingStarts) {
  const Dataset data = shop();
  const auto evaluator = make_backend(data);
  const std::vector<Rule> good = {rule(size_at_least_3, yes)};
  const BatchId before = evaluator->submit(good, {});
  const std::vector<Rule> bad = {rule(size_at_least_3, yes), rule(green, {3, 0, 0, false})};
  try {
    evaluator->submit(bad, {});
    FAIL() << "attribute 3 was accepted";
  } catch (const UnknownAttribute& error) {
    EXPECT_EQ(error.rule, 1U);
    EXPECT_EQ(error.attribute, 3U);
  }
  std::vector<RuleCounts> counts(1);
  evaluator->wait(before, counts);
  EXPECT_EQ(counts[0].table, (ContingencyTable{7, 4, 4, 4}));
  EXPECT_EQ(counts_of(*evaluator, good)[0].table, counts[0].table);
}

TEST(Counts, BatchesMayBeWaitedForOnceInAnyOrder) {
  const Dataset data = shop();
  const auto evaluator = make_backend(data);
  const BatchId first = evaluator->submit(std::vector{rule(green, yes)}, {});
  const BatchId second = evaluator->submit(std::vector{rule(yes, green), rule(yes, yes)}, {});
  const BatchId none = evaluator->submit({}, {});
  std::vector<RuleCounts> two(2);
  evaluator->wait(second, two);
  EXPECT_EQ(two[0].table, (ContingencyTable{7, 4, 3, 1}));
  std::vector<RuleCounts> one(1);
  one[0].comparison_supports = {1, 2, 3};
  one[0].coverage_hash = {4, 5};
  evaluator->wait(first, one);
  EXPECT_EQ(one[0].table, (ContingencyTable{7, 3, 4, 1}));
  EXPECT_TRUE(one[0].comparison_supports.empty());
  EXPECT_EQ(one[0].coverage_hash[1], 0U);
  evaluator->wait(none, {});
  EXPECT_THROW(evaluator->wait(first, one), InternalError);
}

TEST(Counts, NoRows) {
  const Dataset data = make_dataset({shop().attributes()[2]}, {{}});
  const auto evaluator = make_backend(data);
  const std::vector<Rule> rules = {rule({0, 1, 1, false}, {0, 0, 0, false})};
  EXPECT_EQ(counts_of(*evaluator, rules)[0], RuleCounts{});
}

// A shard's rows are hashed by their position in the whole dataset, so that shards add up.
TEST(Counts, HashesOfShardsAdd) {
  const RandomTable table = random_table(3, 9000, 5, true);
  const Dataset whole = make_dataset(table.attributes, table.columns, 4096);
  const auto rules = random_rules(3, 10, table.attributes, 4);
  EvaluateOptions options;
  options.coverage_hashes = true;
  const auto expected = counts_of(*make_backend(whole), rules, options);

  std::vector<RuleCounts> total(rules.size());
  for (const auto& [first, end] : {std::pair{0U, 4096U}, std::pair{4096U, 9000U}}) {
    DatasetBuilder builder(table.attributes, 8192, first);
    std::vector<std::span<const std::uint32_t>> codes;
    for (const auto& column : table.columns) {
      codes.push_back(std::span(column).subspan(first, end - first));
    }
    builder.append(end - first, codes);
    const Dataset shard = builder.finish({});
    const auto part = counts_of(*make_backend(shard), rules, options);
    for (std::size_t r = 0; r < rules.size(); ++r) {
      total[r].table.n_both += part[r].table.n_both;
      for (int side : {0, 1}) total[r].coverage_hash[side] += part[r].coverage_hash[side];
    }
  }
  for (std::size_t r = 0; r < rules.size(); ++r) {
    EXPECT_EQ(total[r].table.n_both, expected[r].table.n_both);
    EXPECT_EQ(total[r].coverage_hash, expected[r].coverage_hash);
  }
}

class CountsOfRandomRules : public testing::TestWithParam<std::uint64_t> {};

TEST_P(CountsOfRandomRules, EqualTheReference) {
  const std::uint64_t rows = GetParam();
  for (const bool with_missing : {false, true}) {
    const RandomTable table = random_table(rows * 2 + with_missing, rows, 9, with_missing);
    const Dataset data = make_dataset(table.attributes, table.columns, 4096);
    const auto rules = random_rules(rows, rows < 1000 ? 60 : 6, data.attributes(), 12);
    const auto reference = make_reference_evaluator(data);
    const auto evaluator = make_backend(data);
    for (const EvaluateOptions& options : all_options()) {
      EXPECT_EQ(counts_of(*evaluator, rules, options), counts_of(*reference, rules, options));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, CountsOfRandomRules,
                         testing::Values(1, 31, 32, 33, 63, 64, 65, 4095, 4097, 10000));

}  // namespace
}  // namespace atl::test
