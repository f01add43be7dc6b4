#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "src/grammar/grammar.hpp"
#include "src/rules/rule_text.hpp"
#include "tests/rules/census.hpp"
#include "tests/rules/operate.hpp"
#include "tests/support/random.hpp"

namespace atl::test {
namespace {

BoundGrammar bound(std::string_view text, std::uint32_t max_comparisons) {
  return BoundGrammar(Grammar::parse(text, "grammar"), table, max_comparisons);
}

/// An operation drawn; false if it claims to have changed nothing.
bool change(const BoundGrammar& grammar, Derivation& derivation, const Derivation& donor,
            RandomStream& stream) {
  return operate(stream.below(5), grammar, derivation, donor, stream);
}

void expect_constraints(const BoundGrammar& grammar, const Derivation& derivation,
                        std::uint32_t max_comparisons) {
  ASSERT_TRUE(grammar.accepts(derivation));
  const Rule rule = grammar.rule(derivation);
  ASSERT_TRUE(sides_disjoint(rule));
  ASSERT_EQ(canonical(rule, table), rule);
  ASSERT_LE(grammar.comparison_nodes(derivation).size(), max_comparisons);
  ASSERT_GE(rule.comparisons(), 2U);
  for (const auto& side : {rule.antecedent, rule.consequent})
    for (const Comparison& c : side.comparisons()) ASSERT_GT(table[c.attribute].distinct(), 1U);
}

class EveryGrammar : public testing::TestWithParam<const char*> {
 protected:
  static constexpr std::uint32_t max_comparisons = 7;
  BoundGrammar grammar_ = bound(GetParam(), max_comparisons);
};

TEST_P(EveryGrammar, OperationsStayInsideAndTellWhetherTheyChangedAnything) {
  RandomStream stream({1, 0, 0, 0, Purpose::test});
  Derivation derivation = grammar_.derive(stream);
  Derivation donor = grammar_.derive(stream);
  std::map<bool, int> outcomes;
  for (int i = 0; i < 20000; ++i) {
    const Derivation before = derivation;
    const bool changed = change(grammar_, derivation, donor, stream);
    ++outcomes[changed];
    ASSERT_EQ(changed, derivation != before) << i;
    ASSERT_NO_FATAL_FAILURE(expect_constraints(grammar_, derivation, max_comparisons)) << i;
    if (i % 50 == 0) donor = std::exchange(derivation, grammar_.derive(stream));
  }
  EXPECT_GT(outcomes[true], 5000);
}

TEST_P(EveryGrammar, ReachesEverySizeAndFavoursSmallOnes) {
  std::map<std::size_t, int> sizes;
  for (std::uint32_t slot = 0; slot < 4000; ++slot) {
    RandomStream stream({2, 0, 0, slot, Purpose::test});
    ++sizes[grammar_.comparison_nodes(grammar_.derive(stream)).size()];
  }
  EXPECT_GT(sizes[2], sizes[5]);
  for (std::size_t size = 2; size <= max_comparisons; ++size) EXPECT_GT(sizes[size], 0) << size;
}

TEST_P(EveryGrammar, AcceptsNothingThatWasTamperedWith) {
  for (std::uint32_t slot = 0; slot < 300; ++slot) {
    RandomStream stream({3, 0, 0, slot, Purpose::test});
    const Derivation derivation = grammar_.derive(stream);
    const std::size_t node = stream.below(derivation.size());
    Derivation other = derivation;
    other[node].size += 1;
    EXPECT_FALSE(grammar_.accepts(other));
    other = derivation;
    other[node].symbol = 1000;
    EXPECT_FALSE(grammar_.accepts(other));
    other = derivation;
    other[node].production += 1000;
    EXPECT_FALSE(grammar_.accepts(other));
    other = derivation;
    other[node].comparison.attribute = 1000;
    EXPECT_FALSE(grammar_.accepts(other));
    other = derivation;
    other.truncate(other.end() - 1);
    EXPECT_FALSE(grammar_.accepts(other));
    other = derivation;
    other.push_back(other.back());
    EXPECT_FALSE(grammar_.accepts(other));
  }
  EXPECT_FALSE(grammar_.accepts({}));
}

TEST_P(EveryGrammar, DrawsDependOnTheStreamAlone) {
  const BoundGrammar again = bound(GetParam(), max_comparisons);
  RandomStream a({4, 0, 0, 0, Purpose::test});
  RandomStream b({4, 0, 0, 0, Purpose::test});
  Derivation left = grammar_.derive(a);
  Derivation right = again.derive(b);
  for (int i = 0; i < 500; ++i) {
    change(grammar_, left, left, a);
    change(again, right, right, b);
    ASSERT_EQ(left, right);
  }
}

INSTANTIATE_TEST_SUITE_P(Grammars, EveryGrammar,
                         testing::Values(Grammar::builtin("association").data(),
                                         Grammar::builtin("association-full").data(),
                                         user_grammar));

TEST(BoundGrammar, DerivationsArePinned) {
  const BoundGrammar grammar = bound(Grammar::builtin("association"), 6);
  std::vector<std::string> rules;
  for (std::uint32_t slot = 0; slot < 5; ++slot) {
    RandomStream stream({42, 0, 0, slot, Purpose::initialise});
    rules.push_back(to_text(grammar.rule(grammar.derive(stream)), table));
  }
  EXPECT_EQ(rules, (std::vector<std::string>{
                       "age = 55 => gain = 0", "income = >50K => education = Bachelors",
                       "age = 17 AND gain <= 4700 => size <= medium",
                       "age > 30 AND size = large => gain > 0", "age = 90 => income = <=50K"}));
}

TEST(BoundGrammar, TheAssociationGrammarConcludesOneComparisonFromAConjunction) {
  const BoundGrammar grammar = bound(Grammar::builtin("association"), 6);
  for (std::uint32_t slot = 0; slot < 500; ++slot) {
    RandomStream stream({5, 0, 0, slot, Purpose::test});
    const Rule rule = grammar.rule(grammar.derive(stream));
    EXPECT_TRUE(rule.antecedent.is_conjunction());
    EXPECT_EQ(rule.consequent.comparisons().size(), 1U);
    for (const auto& side : {rule.antecedent, rule.consequent})
      for (const Comparison& c : side.comparisons()) EXPECT_FALSE(c.negated);
  }
}

TEST(BoundGrammar, AttributesAreDrawnAlike) {
  const BoundGrammar grammar = bound(Grammar::builtin("association"), 2);
  std::map<std::uint32_t, int> drawn;
  constexpr int rules = 10000;
  for (std::uint32_t slot = 0; slot < rules; ++slot) {
    RandomStream stream({6, 0, 0, slot, Purpose::test});
    const Derivation derivation = grammar.derive(stream);
    for (const std::size_t node : grammar.comparison_nodes(derivation))
      ++drawn[derivation[node].comparison.attribute];
  }
  EXPECT_EQ(drawn.size(), 5U);  // the constant one never
  for (const auto& [attribute, count] : drawn) EXPECT_NEAR(count, 2 * rules / 5, 300) << attribute;
}

TEST(BoundGrammar, NoAttributeIsUsedTwiceWhileAnotherIsLeft) {
  const BoundGrammar grammar =
      bound("<r> ::= <equal> AND <equal> AND <equal> AND <equal> => <equal>", 6);
  for (std::uint32_t slot = 0; slot < 500; ++slot) {
    RandomStream stream({7, 0, 0, slot, Purpose::test});
    const Derivation derivation = grammar.derive(stream);
    std::vector<std::uint32_t> attributes;
    for (const std::size_t node : grammar.comparison_nodes(derivation))
      attributes.push_back(derivation[node].comparison.attribute);
    std::sort(attributes.begin(), attributes.end());
    EXPECT_EQ(std::adjacent_find(attributes.begin(), attributes.end()), attributes.end());
  }
}

TEST(BoundGrammar, BoundsFollowTheRowsButReachRareCodes) {
  Attribute skewed = numeric("x", std::vector<double>(100));
  for (std::size_t i = 0; i < 100; ++i) skewed.low[i] = skewed.high[i] = static_cast<double>(i);
  skewed.counts.assign(100, 1);
  skewed.counts[50] = 100000;
  const std::vector<Attribute> two = {skewed, nominal("y", {"a", "b"})};
  const BoundGrammar grammar(Grammar::parse("<r> ::= <less_equal(x)> => <equal(y)>", "g"), two, 2);
  std::map<std::uint32_t, int> bounds;
  for (std::uint32_t slot = 0; slot < 10000; ++slot) {
    RandomStream stream({8, 0, 0, slot, Purpose::test});
    ++bounds[grammar.derive(stream)[1].comparison.high];
  }
  EXPECT_NEAR(bounds[50], 7500, 300);
  EXPECT_EQ(bounds.size(), 99U);  // all but the last, which would be no bound
}

TEST(BoundGrammar, PerturbingMovesOneBoundByAPowerOfTwo) {
  const BoundGrammar grammar = bound("<r> ::= <greater(age)> => <equal(income)>", 2);
  RandomStream stream({9, 0, 0, 0, Purpose::test});
  Derivation derivation = grammar.derive(stream);
  std::map<std::uint32_t, int> seen;
  for (int i = 0; i < 500; ++i) {
    const Comparison before = derivation[1].comparison;
    ASSERT_TRUE(grammar.perturb(derivation, 1, stream));
    const Comparison after = derivation[1].comparison;
    ASSERT_EQ(after.high, 8U);
    const std::uint32_t moved = std::max(before.low, after.low) - std::min(before.low, after.low);
    ASSERT_TRUE(moved == 1 || moved == 2);
    ++seen[after.low];
  }
  EXPECT_EQ(seen.size(), 8U);
}

TEST(BoundGrammar, WhatTheGrammarFixesIsNotPerturbed) {
  const BoundGrammar grammar =
      bound("<r> ::= \"age > 41\" => <less_equal(size)> AND <equal(income)>", 3);
  RandomStream stream({10, 0, 0, 0, Purpose::test});
  Derivation derivation = grammar.derive(stream);
  ASSERT_EQ(grammar.comparison_nodes(derivation), (std::vector<std::size_t>{1, 2, 3}));
  EXPECT_FALSE(grammar.relation(derivation[1]));
  EXPECT_TRUE(grammar.relation(derivation[2]));
  const Derivation before = derivation;
  EXPECT_FALSE(grammar.perturb(derivation, 1, stream));
  EXPECT_FALSE(grammar.rederive(derivation, 1, stream));
  EXPECT_FALSE(grammar.shrink(derivation, 0, stream));
  EXPECT_FALSE(grammar.grow(derivation, 2, stream));
  EXPECT_EQ(derivation, before);
}

TEST(BoundGrammar, TellsWhatASideCanHave) {
  const BoundGrammar grammar = bound(
      "<rule> ::= <side> => <equal>\n<side> ::= <interval(age)> | <less_equal> | <side> AND <side>",
      5);
  const auto index = [](std::string_view name) {
    const auto found = std::find_if(table.begin(), table.end(),
                                    [&](const Attribute& a) { return a.name == name; });
    return static_cast<std::uint32_t>(found - table.begin());
  };
  EXPECT_TRUE(grammar.has(BoundRelation::interval, index("age"), true));
  EXPECT_FALSE(grammar.has(BoundRelation::interval, index("age"), false));
  EXPECT_FALSE(grammar.has(BoundRelation::interval, index("gain"), true));
  EXPECT_TRUE(grammar.has(BoundRelation::less_equal, index("gain"), true));
  EXPECT_TRUE(grammar.has(BoundRelation::equal, index("gain"), false));
  EXPECT_FALSE(grammar.has(BoundRelation::equal, index("gain"), true));
}

TEST(BoundGrammar, TellsWhetherConjunctionsAreFree) {
  const auto joins = [](std::string_view text) { return bound(text, 5).joins_antecedents(); };
  EXPECT_TRUE(joins(Grammar::builtin("association")));
  EXPECT_TRUE(joins(Grammar::builtin("association-full")));
  EXPECT_FALSE(joins("<rule> ::= <equal> => <equal>"));
  EXPECT_FALSE(
      joins("<rule> ::= <side> AND <side> => <equal>\n<side> ::= <equal> | <side> AND <side>"));
  EXPECT_FALSE(joins("<rule> ::= <side> => <equal>\n<side> ::= <equal> | <equal> AND <side>"));
  EXPECT_FALSE(joins("<rule> ::= NOT <side> => <equal>\n<side> ::= <equal> | <side> AND <side>"));
}

TEST(BoundGrammar, TellsWhetherRulesHaveNothingButConjunctions) {
  const auto only = [](std::string_view text) { return bound(text, 5).only_conjunctions(); };
  EXPECT_TRUE(only(Grammar::builtin("association")));
  EXPECT_FALSE(only(Grammar::builtin("association-full")));
  EXPECT_TRUE(only("<rule> ::= <equal> AND <equal> => <equal>"));
  EXPECT_FALSE(only("<rule> ::= <equal> => NOT <equal>"));
  EXPECT_FALSE(only("<rule> ::= <side> => <equal>\n<side> ::= <equal> | <side> OR <side>"));
}

// At each node drawing there, putting what was drawn and the change itself are the same.
TEST(BoundGrammar, WhatIsDrawnAtASiteIsWhatTheChangePuts) {
  for (const char* const name : {"association", "association-full"}) {
    const BoundGrammar grammar = bound(Grammar::builtin(name), 6);
    std::map<bool, int> drawn_or_not;
    for (std::uint32_t slot = 0; slot < 200; ++slot) {
      RandomStream stream({5, 0, 0, slot, Purpose::test});
      const Derivation origin = grammar.derive(stream);
      for (std::size_t node = 0; node < origin.size(); ++node) {
        for (const bool grows : {false, true}) {
          RandomStream same = stream;
          const SubtreeSite site = grammar.site(origin, node, grows);
          Derivation drawn, put = origin, changed = origin;
          const bool is_drawn = grammar.draw(site, same, drawn);
          if (is_drawn) BoundGrammar::put(put, node, drawn);
          const bool is_changed =
              grows ? grammar.grow(changed, node, stream) : grammar.rederive(changed, node, stream);
          ASSERT_EQ(is_drawn, is_changed);
          ASSERT_EQ(put, changed);
          ASSERT_TRUE(grammar.accepts(put));
          ++drawn_or_not[is_drawn];
        }
      }
    }
    EXPECT_GT(drawn_or_not[true], 1000);
    EXPECT_GT(drawn_or_not[false], 100);
  }
}

TEST(BoundGrammar, GraftRefusesWhatWouldBreakTheRule) {
  const char* const text = "<r> ::= <a> => <a>  <a> ::= <equal(age, income, size)> | <a> AND <a>";
  const BoundGrammar grammar = bound(text, 3);
  int refused = 0;
  int grafted = 0;
  for (std::uint32_t slot = 0; slot < 2000; ++slot) {
    RandomStream stream({11, 0, 0, slot, Purpose::test});
    Derivation derivation = grammar.derive(stream);
    const Derivation before = derivation;
    const Derivation donor = grammar.derive(stream);
    EXPECT_FALSE(grammar.graft(derivation, 1, donor, 0));       // another symbol
    EXPECT_FALSE(grammar.graft(derivation, 1, derivation, 1));  // nothing new
    EXPECT_EQ(derivation, before);

    Derivation expected = before;
    expected.replace(1, before[1].size, std::span(donor).subspan(1, donor[1].size));
    expected[0].size = static_cast<std::uint32_t>(expected.size());
    const bool fits = grammar.accepts(expected) && expected != before;
    EXPECT_EQ(grammar.graft(derivation, 1, donor, 1), fits);
    EXPECT_EQ(derivation, fits ? expected : before);
    ++(fits ? grafted : refused);
  }
  EXPECT_GT(refused, 100);
  EXPECT_GT(grafted, 100);
}

}  // namespace
}  // namespace atl::test
