#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "src/grammar/aim.hpp"
#include "src/grammar/grammar.hpp"
#include "src/grammar/grammar_aim.hpp"
#include "src/rules/rule_text.hpp"
#include "tests/rules/census.hpp"

namespace atl::test {
namespace {

bool reverses(std::string_view grammar, const std::string& rule, const BoundAim& aim = {}) {
  return BoundGrammar(Grammar::parse(grammar, "grammar"), table, 6, aim)
      .derives_reversal(parse_rule(rule, table, "test"), table);
}

}  // namespace

TEST(GrammarReversals, AConsequentOfOneComparisonTurnsWithAnAntecedentOfOne) {
  const auto association = Grammar::builtin("association");
  EXPECT_TRUE(reverses(association, "income = >50K => education = Masters"));
  EXPECT_TRUE(reverses(association, "age <= 41 => education = Masters"));
  EXPECT_FALSE(reverses(association, "age <= 41 AND size = small => education = Masters"));
}

TEST(GrammarReversals, WhereBothSidesAreAlikeEveryRuleTurns) {
  const auto full = Grammar::builtin("association-full");
  EXPECT_TRUE(reverses(full, "age <= 41 AND NOT (gain <= 99) => education = Masters"));
  EXPECT_TRUE(reverses(full, "(age <= 41 OR size = small) => education = Masters"));
}

TEST(GrammarReversals, ConjunctionsAreFoundInAnyOrder) {
  constexpr std::string_view text =
      "<rule> ::= <a> => <b>\n<a> ::= <equal> | <equal(size)>\n"
      "<b> ::= <c> AND <greater(age)> | <d>\n<c> ::= <less_equal> | <c> AND <equal(education)>\n"
      "<d> ::= \"income = >50K\" | <b>\n";
  EXPECT_TRUE(reverses(text, "age > 20 AND education = Masters AND gain <= 99 => size = small"));
  EXPECT_TRUE(reverses(text, "education = Masters AND gain <= 99 AND age > 20 => income = <=50K"));
  EXPECT_FALSE(reverses(text, "education = Masters AND gain <= 99 => size = small"));
  EXPECT_FALSE(reverses(text, "education = Masters AND age > 20 => size = small"));
  EXPECT_FALSE(reverses(text, "age > 20 AND gain <= 99 => size <= medium"));
  EXPECT_TRUE(reverses(text, "income = >50K => size = small"));
  EXPECT_FALSE(reverses(text, "income = <=50K => size = small"));
  EXPECT_FALSE(reverses(text, "(income = >50K OR age > 20) => size = small"));
}

TEST(GrammarReversals, TheAimCounts) {
  BoundAim aim;
  aim.antecedent = {0, 2, 3};
  aim.consequent = {2, 3};
  const auto association = Grammar::builtin("association");
  EXPECT_TRUE(reverses(association, "income = >50K => education = Masters", aim));
  EXPECT_FALSE(reverses(association, "age <= 41 => education = Masters", aim));
}

}  // namespace atl::test
