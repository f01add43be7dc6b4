#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/core/error.hpp"
#include "src/grammar/grammar.hpp"
#include "src/grammar/grammar_aim.hpp"
#include "src/rules/rule_text.hpp"
#include "tests/rules/census.hpp"
#include "tests/rules/operate.hpp"
#include "tests/support/random.hpp"

namespace atl::test {
namespace {

enum : std::uint32_t { age, gain, income, education, size, constant };

const std::vector<std::uint32_t> all = {age, gain, income, education, size, constant};

struct Case {
  const char* name;
  BoundAim aim;
};

std::vector<Case> cases() {
  std::vector<Case> cases;
  cases.push_back({"sides", {{age, gain, education}, {income, size}, {}, {}, {}}});
  cases.push_back({"overlap", {{age, income, education}, {income, education, size}, {}, {}, {}}});
  cases.push_back({"one side", {{age, gain, education}, {age, gain, education}, {}, {}, {}}});
  cases.push_back({"one", {all, all, {gain}, {}, {}}});
  cases.push_back({"three", {all, all, {age, income, education}, {}, {}}});
  cases.push_back({"all", {{age, gain, income, education}, {income, size}, {gain, size}, {}, {}}});
  cases.push_back({"any comparison", {{age, gain, education, size}, {income}, {}, {}, {income}}});
  cases.push_back({"labels and bounds",
                   {all, {age, income}, {}, {{income, 1, 1, false}, {age, 5, 8, false}}, {}}});
  cases.push_back(
      {"both", {all, {income, size}, {gain, education}, {{income, 1, 1, false}}, {size}}});
  return cases;
}

std::vector<std::uint32_t> attributes_of(std::span<const Comparison> side) {
  std::vector<std::uint32_t> named;
  for (const Comparison& c : side) named.push_back(c.attribute);
  return named;
}

bool is_target(const BoundAim& aim, const Comparison& c) {
  if (std::find(aim.targets.begin(), aim.targets.end(), c) != aim.targets.end()) return true;
  const auto& any = aim.target_attributes;
  return !c.negated && std::find(any.begin(), any.end(), c.attribute) != any.end() &&
         (table[c.attribute].ordered() || c.low == c.high);
}

void expect_within(const BoundAim& aim, const BoundGrammar& grammar, const Derivation& derivation) {
  ASSERT_TRUE(grammar.accepts(derivation));
  const Rule rule = grammar.rule(derivation);
  ASSERT_TRUE(sides_disjoint(rule));
  const std::string text = to_text(rule, table);
  std::map<std::uint32_t, int> names;
  for (const std::uint32_t a : attributes_of(rule.antecedent.comparisons())) {
    ++names[a];
    ASSERT_TRUE(std::binary_search(aim.antecedent.begin(), aim.antecedent.end(), a)) << text;
  }
  for (const std::uint32_t a : attributes_of(rule.consequent.comparisons())) {
    ++names[a];
    ASSERT_TRUE(std::binary_search(aim.consequent.begin(), aim.consequent.end(), a)) << text;
  }
  for (const std::uint32_t a : aim.require) ASSERT_EQ(names[a], 1) << text;
  if (aim.targets.empty() && aim.target_attributes.empty()) return;
  ASSERT_EQ(rule.consequent.comparisons().size(), 1U) << text;
  ASSERT_TRUE(is_target(aim, rule.consequent.comparisons()[0])) << text;
}

class AimedGrammars : public testing::TestWithParam<const char*> {};

TEST_P(AimedGrammars, NoOperationLeavesTheAim) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const BoundGrammar grammar(Grammar::parse(GetParam(), "grammar"), table, 6, c.aim);
    RandomStream stream({1, 0, 0, 0, Purpose::test});
    Derivation derivation = grammar.derive(stream);
    Derivation donor = grammar.derive(stream);
    std::map<std::uint64_t, int> changed;
    for (int i = 0; i < 4000; ++i) {
      const std::uint64_t operation = stream.below(5);
      const bool done = operate(operation, grammar, derivation, donor, stream);
      changed[operation] += done ? 1 : 0;
      ASSERT_NO_FATAL_FAILURE(expect_within(c.aim, grammar, derivation)) << operation;
      if (i % 20 == 0) donor = std::exchange(derivation, grammar.derive(stream));
    }
    for (std::uint64_t operation = 0; operation < 5; ++operation)
      EXPECT_GT(changed[operation], 20) << operation;
  }
}

INSTANTIATE_TEST_SUITE_P(Grammars, AimedGrammars,
                         testing::Values(Grammar::builtin("association").data(),
                                         Grammar::builtin("association-full").data()));

std::set<std::string> rules_of(const char* text, const BoundAim& aim, std::uint32_t most) {
  const BoundGrammar grammar(Grammar::parse(text, "my.bnf"), table, most, aim);
  std::set<std::string> rules;
  for (std::uint32_t slot = 0; slot < 3000; ++slot) {
    RandomStream stream({2, 0, 0, slot, Purpose::test});
    rules.insert(to_text(grammar.rule(grammar.derive(stream)), table));
  }
  return rules;
}

TEST(AimedGrammar, ReachesEveryRuleWithinTheAim) {
  const char* const labels = "<r> ::= <s> => <s>  <s> ::= <equal> | <s> AND <s>";
  EXPECT_EQ(
      rules_of(labels, {{income}, {education}, {}, {}, {}}, 2),
      (std::set<std::string>{
          "income = <=50K => education = Bachelors", "income = <=50K => education = Doctorate",
          "income = <=50K => education = Masters", "income = >50K => education = Bachelors",
          "income = >50K => education = Doctorate", "income = >50K => education = Masters"}));
  // Required attributes on either side: 2 labels of income, 3 of education.
  EXPECT_EQ(rules_of(labels, {all, all, {income, education}, {}, {}}, 2).size(), 12U);
  EXPECT_EQ(rules_of(labels, {{education, size}, {income}, {size}, {{income, 1, 1, false}}, {}}, 3),
            [] {
              std::set<std::string> expected;
              for (const std::string s : {"small", "medium", "large"}) {
                expected.insert("size = " + s + " => income = >50K");
                for (const std::string e : {"Bachelors", "Doctorate", "Masters"})
                  expected.insert("education = " + e + " AND size = " + s + " => income = >50K");
              }
              return expected;
            }());
}

TEST(AimedGrammar, AUsersGrammarIsLimitedAndItsConsequentsGiveWayToTargets) {
  const std::set<std::string> sized = rules_of(user_grammar, {all, {size}, {}, {}, {}}, 4);
  EXPECT_EQ(sized, (std::set<std::string>{
                       "income = <=50K => size <= medium", "income = <=50K => size = large",
                       "income = <=50K => size = medium", "income = <=50K => size = small",
                       "income = <=50K => size > small", "income = >50K => size <= medium",
                       "income = >50K => size = large", "income = >50K => size = medium",
                       "income = >50K => size = small", "income = >50K => size > small"}));
  for (const std::string& rule :
       rules_of(user_grammar, {{age, income}, {education}, {}, {}, {education}}, 4))
    EXPECT_NE(rule.find("=> education = "), std::string::npos) << rule;
}

TEST(AimedGrammar, AttributesStayAsLikelyOnEachSide) {
  const BoundAim aim{{age, gain, education, size}, {age, income}, {}, {}, {}};
  const BoundGrammar grammar(Grammar::parse(Grammar::builtin("association"), "association"), table,
                             2, aim);
  std::map<std::uint32_t, int> before, behind;
  for (std::uint32_t slot = 0; slot < 8000; ++slot) {
    RandomStream stream({3, 0, 0, slot, Purpose::test});
    const Rule rule = grammar.rule(grammar.derive(stream));
    ++before[rule.antecedent.comparisons()[0].attribute];
    ++behind[rule.consequent.comparisons()[0].attribute];
  }
  // Age is rarer where it would be on both sides, not because it suits relations on both.
  for (const std::uint32_t a : {gain, education, size}) EXPECT_NEAR(before[a], 2200, 200) << a;
  EXPECT_NEAR(before[age], 1400, 150);
  EXPECT_NEAR(behind[age], 3300, 200);
  EXPECT_NEAR(behind[income], 4700, 200);
}

TEST(AimedGrammar, SaysIfNoRuleIsLeft) {
  const auto message = [](const char* text, const BoundAim& aim) -> std::string {
    try {
      BoundGrammar(Grammar::parse(text, "my.bnf"), table, 6, aim);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "accepted";
  };
  const std::string none =
      "my.bnf has no rule within --target, --antecedent, --consequent, --require and --exclude";
  const char* const fixed = "<r> ::= <equal(age)> AND \"size = small\" => <equal(income)>";
  EXPECT_EQ(message(fixed, {all, {education}, {}, {}, {}}), none);
  EXPECT_EQ(message(fixed, {{age, gain}, all, {}, {}, {}}), none);
  EXPECT_EQ(message(fixed, {all, all, {education}, {}, {}}), none);
  EXPECT_EQ(message(fixed, {all, all, {age, income, size}, {}, {}}), "accepted");
  // Two required attributes that only a consequent of one comparison may name.
  EXPECT_EQ(message(Grammar::builtin("association").data(),
                    {{age}, {income, size}, {income, size}, {}, {}}),
            none);
}

}  // namespace
}  // namespace atl::test
