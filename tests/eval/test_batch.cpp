#include <gtest/gtest.h>

#include "src/eval/batch.hpp"
#include "tests/eval/backend.hpp"

namespace atl::test {
namespace {

std::vector<Attribute> attributes(std::uint32_t count, std::uint32_t codes, bool has_missing) {
  std::vector<Attribute> all(count);
  for (Attribute& attribute : all) {
    for (std::uint32_t c = 0; c < codes; ++c) attribute.low.push_back(c);
    attribute.high = attribute.low;
    attribute.has_missing = has_missing;
  }
  return all;
}

Rule rule(std::vector<Comparison> antecedent, const Comparison& consequent) {
  return {Expression::conjunction(antecedent), Expression::of(consequent)};
}

TEST(Bind, TurnsIntervalsIntoTheFewestPlaneComparisons) {
  const Attribute whole = attributes(1, 6, false)[0];
  const Attribute gaps = attributes(1, 6, true)[0];
  const auto kind = [](const Comparison& c, const Attribute& a) { return bind(c, a).comparison; };
  using enum BoundKind;
  EXPECT_EQ(kind({0, 2, 2, false}, whole), (BoundComparison{0, equal, false, false, 2, 0}));
  EXPECT_EQ(kind({0, 0, 3, false}, whole), (BoundComparison{0, greater, false, false, 3, 0}));
  EXPECT_TRUE(bind({0, 0, 3, false}, whole).complement);
  EXPECT_EQ(kind({0, 3, 5, false}, whole), (BoundComparison{0, greater, false, false, 2, 0}));
  EXPECT_EQ(kind({0, 2, 4, false}, whole), (BoundComparison{0, interval, false, false, 1, 4}));
  EXPECT_EQ(kind({0, 0, 5, false}, whole), (BoundComparison{0, never, false, false, 0, 0}));
  EXPECT_EQ(kind({0, 7, 9, false}, whole), (BoundComparison{0, never, false, false, 0, 0}));
  // Only what holds on zero planes must be limited to present rows.
  EXPECT_EQ(kind({0, 2, 2, false}, gaps), (BoundComparison{0, equal, false, false, 2, 0}));
  EXPECT_EQ(kind({0, 0, 0, false}, gaps), (BoundComparison{0, equal, false, true, 0, 0}));
  EXPECT_EQ(kind({0, 0, 0, true}, gaps), (BoundComparison{0, equal, true, true, 0, 0}));
  EXPECT_EQ(kind({0, 2, 2, true}, gaps), (BoundComparison{0, equal, true, true, 2, 0}));
  EXPECT_EQ(kind({0, 0, 3, false}, gaps), (BoundComparison{0, greater, true, true, 3, 0}));
  EXPECT_EQ(kind({0, 0, 3, true}, gaps), (BoundComparison{0, greater, false, false, 3, 0}));
  EXPECT_EQ(kind({0, 0, 5, false}, gaps), (BoundComparison{0, never, true, true, 0, 0}));
}

TEST(Batch, SharesDistinctComparisonsOnRequest) {
  const auto data = attributes(3, 8, false);
  const std::vector<Rule> rules = {
      rule({{0, 0, 3, false}, {1, 2, 2, false}}, {2, 1, 1, false}),
      rule({{0, 4, 7, false}, {1, 3, 3, false}}, {2, 1, 1, false}),  // 0: complement of the first's
  };
  Batch batch;
  batch.compile(rules, data, {});
  EXPECT_EQ(batch.comparisons().size(), 4U);
  ASSERT_EQ(batch.uses().size(), 6U);
  EXPECT_EQ(batch.uses()[0].comparison, batch.uses()[3].comparison);
  EXPECT_NE(batch.uses()[0].complement, batch.uses()[3].complement);
  EXPECT_TRUE(batch.folds().empty());
  ASSERT_EQ(batch.groups().size(), 1U);
  EXPECT_EQ(batch.groups()[0].terms, 4U);

  CountingOptions raw;
  raw.share_comparisons = false;
  batch.compile(rules, data, raw);
  EXPECT_EQ(batch.comparisons().size(), 6U);
  EXPECT_EQ(batch.operands().size(), 6U);
}

TEST(Batch, FlatExpressionsAreOneTermAndNestedOnesAreFolded) {
  const auto data = attributes(2, 8, false);
  const Comparison a{0, 1, 1, false};
  const Comparison b{0, 2, 5, false};
  using enum Op;
  const Rule nested{
      Expression({comparison, comparison, comparison, conjunction, disjunction}, {a, b, a}),
      Expression({comparison, comparison, negation, disjunction}, {a, b})};
  Batch batch;
  batch.compile(std::vector{nested}, data, {});
  const CompiledRule& rule = batch.rules()[0];
  EXPECT_TRUE(rule.antecedent.complement);  // NOT (NOT a AND NOT (b AND a))
  ASSERT_EQ(batch.folds().size(), 1U);
  EXPECT_EQ(batch.folds()[0].target, rule.antecedent.term);
  EXPECT_TRUE(batch.folds()[0].complement);
  EXPECT_TRUE(rule.consequent.complement);  // NOT (NOT a AND b)
  EXPECT_EQ(batch.groups()[0].terms, 3U);
  ASSERT_EQ(batch.uses().size(), 5U);
  EXPECT_TRUE(batch.uses()[3].complement);
  EXPECT_FALSE(batch.uses()[4].complement);
}

TEST(Batch, GroupsShareOnlyWithinThemselves) {
  const auto data = attributes(2, 8, false);
  const std::vector<Rule> rules(Batch::cached_terms, rule({{0, 1, 1, false}}, {1, 2, 2, false}));
  Batch batch;
  batch.compile(rules, data, {});
  ASSERT_EQ(batch.groups().size(), 2U);
  EXPECT_EQ(batch.comparisons().size(), 4U);
  std::uint32_t next_rule = 0;
  for (const RuleGroup& group : batch.groups()) {
    EXPECT_EQ(group.first_rule, next_rule);
    next_rule = group.end_rule;
    EXPECT_EQ(group.terms, Batch::cached_terms);
    EXPECT_EQ(group.end_comparison - group.first_comparison, 2U);
    for (const Use& use : batch.uses().subspan(group.first_use, group.end_use - group.first_use)) {
      EXPECT_GE(use.comparison, group.first_comparison);
      EXPECT_LT(use.comparison, group.end_comparison);
      EXPECT_LT(use.term, group.terms);
    }
  }
  EXPECT_EQ(next_rule, rules.size());
}

TEST(Batch, CompilesInTheOrderAskedFor) {
  const auto data = attributes(2, 8, false);
  std::vector<Rule> rules;
  for (std::uint32_t code = 0; code < 3; ++code) {
    rules.push_back(rule({{0, code, code, false}}, {1, 2, 2, false}));
  }
  Batch batch;
  batch.compile(rules, data, {}, Batch::cached_terms, std::vector<std::uint32_t>{2, 0, 1});
  ASSERT_EQ(batch.rules().size(), 3U);
  EXPECT_EQ(batch.rules()[0].index, 2U);
  EXPECT_EQ(batch.rules()[1].index, 0U);
  EXPECT_EQ(batch.rules()[2].index, 1U);
  std::vector<std::uint32_t> lows;
  for (const Operand& operand : batch.operands()) {
    const BoundComparison& comparison = batch.comparisons()[operand.comparison];
    if (comparison.attribute == 0) lows.push_back(comparison.low);
  }
  EXPECT_EQ(lows, (std::vector<std::uint32_t>{2, 0, 1}));
}

TEST(Batch, PresentSetsAreThoseOfConsequents) {
  auto data = attributes(4, 8, true);
  data[3].has_missing = false;
  const Comparison on0{0, 1, 1, false};
  const Comparison on1{1, 1, 1, false};
  const std::vector<Rule> rules = {
      {Expression::of(on0), Expression::of({3, 0, 0, false})},
      {Expression::of(on0), Expression::conjunction(std::vector{on1, on0, on1})},
      {Expression::of(on0), Expression::conjunction(std::vector{on0, on1})},
  };
  Batch batch;
  batch.compile(rules, data, {});
  ASSERT_EQ(batch.present_sets(), 2U);
  EXPECT_TRUE(batch.present_set(0).empty());
  EXPECT_EQ(batch.present_set(1).size(), 2U);
  EXPECT_EQ(batch.rules()[0].present_set, 0U);
  EXPECT_EQ(batch.rules()[1].present_set, 1U);
  EXPECT_EQ(batch.rules()[2].present_set, 1U);
}

}  // namespace
}  // namespace atl::test
