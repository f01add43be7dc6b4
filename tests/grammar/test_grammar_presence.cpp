#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "src/core/error.hpp"
#include "src/data/bit_planes.hpp"
#include "src/grammar/grammar.hpp"
#include "src/grammar/grammar_aim.hpp"
#include "src/rules/rule_text.hpp"
#include "tests/rules/operate.hpp"
#include "tests/rules/table.hpp"
#include "tests/support/absence.hpp"
#include "tests/support/random.hpp"

namespace atl::test {
namespace {

enum : std::uint32_t { milk, bread, beer, eggs, gone, age, colour };

// There is code 1, 1, 0, 1, 0.
const std::vector<Attribute> table = {numeric("milk", {0, 1}),
                                      nominal("bread", {"no", "yes"}),
                                      nominal("beer", {"T", "f"}),
                                      with_missing(numeric("eggs", {0, 1})),
                                      ordinal("gone", {"present", "absent"}),
                                      numeric("age", {17, 25, 30, 41, 90}),
                                      nominal("colour", {"blue", "green", "red"})};

const std::vector<std::uint32_t> all = {milk, bread, beer, eggs, gone, age, colour};

BoundGrammar bound(std::string_view text, BoundAim aim = {}, std::uint32_t most = 6) {
  aim.absences = false;
  return BoundGrammar(Grammar::parse(text, "my.bnf"), table, most, aim);
}

std::set<std::string> rules_of(std::string_view text, const BoundAim& aim, std::uint32_t most) {
  const BoundGrammar grammar = bound(text, aim, most);
  std::set<std::string> rules;
  for (std::uint32_t slot = 0; slot < 3000; ++slot) {
    RandomStream stream({2, 0, 0, slot, Purpose::test});
    rules.insert(to_text(grammar.rule(grammar.derive(stream)), table));
  }
  return rules;
}

const char* const negating =
    "<r> ::= <s> => NOT <s>\n"
    "<s> ::= <equal> | <not_equal> | <less_equal> | <greater> | <interval> | <s> AND <s> | "
    "( <s> OR NOT <s> ) | NOT NOT <s> | NOT ( <s> AND NOT <s> )\n";

class WithoutAbsences : public testing::TestWithParam<const char*> {};

TEST_P(WithoutAbsences, NoOperationSaysThatSomethingIsAbsent) {
  for (const std::vector<std::uint32_t>& require : {std::vector<std::uint32_t>{}, {milk}}) {
    BoundAim aim;
    if (!require.empty()) aim = {all, all, require, {}, {}};
    const BoundGrammar grammar = bound(GetParam(), aim);
    RandomStream stream({1, 0, 0, 0, Purpose::test});
    Derivation derivation = grammar.derive(stream);
    Derivation donor = grammar.derive(stream);
    std::map<std::uint64_t, int> changed;
    std::map<std::uint32_t, int> named;
    for (int i = 0; i < 6000; ++i) {
      const std::uint64_t operation = stream.below(6);
      bool done = operation < 5 && operate(operation, grammar, derivation, donor, stream);
      if (operation == 5) {
        std::vector<std::uint32_t> row;
        for (const Attribute& attribute : table)
          row.push_back(static_cast<std::uint32_t>(stream.below(attribute.distinct())));
        if (stream.chance(0.2)) row[eggs] = missing_code;
        const Derivation before = derivation;
        grammar.repair(derivation, row, stream);
        done = derivation != before;
      }
      changed[operation] += done ? 1 : 0;
      ASSERT_TRUE(grammar.accepts(derivation)) << operation;
      const Rule rule = grammar.rule(derivation);
      ASSERT_TRUE(sides_disjoint(rule)) << operation;
      ASSERT_FALSE(says_absent(rule, table)) << operation << ": " << to_text(rule, table);
      for (const auto& side : {rule.antecedent, rule.consequent})
        for (const Comparison& c : side.comparisons()) ++named[c.attribute];
      if (i % 20 == 0) donor = std::exchange(derivation, grammar.derive(stream));
    }
    for (std::uint64_t operation = 0; operation < 6; ++operation)
      EXPECT_GT(changed[operation], 20) << operation;
    for (const std::uint32_t a : all) EXPECT_GT(named[a], 100) << a;
  }
}

INSTANTIATE_TEST_SUITE_P(Grammars, WithoutAbsences,
                         testing::Values(Grammar::builtin("association").data(),
                                         Grammar::builtin("association-full").data(), negating));

TEST(WithoutAbsences, EachRelationSaysWhatIsThere) {
  using Rules = std::set<std::string>;
  const auto rules = [](const std::string& relation) {
    return rules_of("<r> ::= <" + relation + "(milk, gone)> => <equal(eggs)>", {}, 2);
  };
  const std::string milk_there = "milk = 1 => eggs = 1", other = "gone = present => eggs = 1";
  EXPECT_EQ(rules("greater"), Rules{milk_there});
  EXPECT_EQ(rules("less_equal"), Rules{other});
  for (const char* relation : {"equal", "not_equal", "interval"})
    EXPECT_EQ(rules(relation), (Rules{milk_there, other})) << relation;
  EXPECT_EQ(rules_of("<r> ::= NOT <equal(beer, colour)> => NOT NOT <equal(milk)>", {}, 2),
            (Rules{"colour != blue => milk = 1", "colour != green => milk = 1",
                   "colour != red => milk = 1"}));
}

TEST(WithoutAbsences, WhatIsNamedStands) {
  using Rules = std::set<std::string>;
  EXPECT_EQ(rules_of("<r> ::= \"milk = 0\" AND NOT \"bread = yes\" => <equal(eggs)>", {}, 3),
            Rules{"milk = 0 AND bread = no => eggs = 1"});
  const char* const labels = "<r> ::= <equal> => <equal>";
  EXPECT_EQ(rules_of(labels, {{bread}, {milk}, {}, {{milk, 0, 0, false}}, {}}, 2),
            Rules{"bread = yes => milk = 0"});
  // Of two targets only the one concluded.
  EXPECT_EQ(rules_of(labels, {{milk, bread}, {milk, bread}, {}, {}, {milk, bread}}, 2),
            (Rules{"bread = yes => milk = 0", "bread = yes => milk = 1", "milk = 1 => bread = no",
                   "milk = 1 => bread = yes"}));
}

TEST(WithoutAbsences, SaysIfNothingIsLeft) {
  const auto message = [](std::string_view text) -> std::string {
    try {
      bound(text);
    } catch (const BadData& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_NE(message("<r> ::= <less_equal(milk)> => <equal>").find("no attribute fits <less_equal"),
            std::string::npos);
  EXPECT_NE(message("<r> ::= <equal> => NOT <equal(bread)>").find("nothing absent"),
            std::string::npos);
  EXPECT_EQ(message("<r> ::= <greater(milk)> => <equal>"), "accepted");
}

TEST(WithoutAbsences, ATableWithoutItemsKeepsItsRules) {
  const std::vector<Attribute> other = {numeric("x", {1, 2, 3}), nominal("c", {"a", "b"}),
                                        numeric("y", {0, 1, 2})};
  const auto draw = [&](bool absences) {
    BoundAim aim;
    aim.absences = absences;
    const BoundGrammar grammar(Grammar::parse(Grammar::builtin("association-full"), "g"), other, 6,
                               aim);
    std::vector<Derivation> drawn;
    for (std::uint32_t slot = 0; slot < 200; ++slot) {
      RandomStream stream({3, 0, 0, slot, Purpose::test});
      drawn.push_back(grammar.derive(stream));
    }
    return drawn;
  };
  EXPECT_EQ(draw(false), draw(true));
}

TEST(WithoutAbsences, AnItemThatARowLacksGivesWayToOneItHas) {
  const BoundGrammar grammar = bound("<r> ::= <equal(milk, bread, beer, eggs)> => <equal(gone)>");
  for (std::uint32_t slot = 0; slot < 200; ++slot) {
    RandomStream stream({4, 0, 0, slot, Purpose::test});
    Derivation derivation = grammar.derive(stream);
    grammar.repair(derivation, std::vector<std::uint32_t>{0, 1, 1, missing_code, 0, 0, 0}, stream);
    EXPECT_EQ(to_text(grammar.rule(derivation), table), "bread = yes => gone = present");
    const Derivation before = derivation;
    grammar.repair(derivation, std::vector<std::uint32_t>{0, 0, 1, 0, 1, 0, 0}, stream);
    EXPECT_EQ(derivation, before) << "the row has none of them";
  }
}

}  // namespace
}  // namespace atl::test
