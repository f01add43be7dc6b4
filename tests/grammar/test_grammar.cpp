#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/core/error.hpp"
#include "src/grammar/grammar.hpp"
#include "tests/rules/table.hpp"

namespace atl::test {
namespace {

const std::vector<Attribute> table = {
    numeric("age", {17, 25, 30, 41, 90}), nominal("income", {"<=50K", ">50K"}),
    ordinal("size", {"small", "medium", "large"}), nominal("constant", {"x"})};

void bind(const char* text, std::uint32_t max_comparisons = 6) {
  BoundGrammar(Grammar::parse(text, "my.bnf"), table, max_comparisons);
}

struct Wrong {
  const char* text;
  std::uint64_t line, column;
  const char* found;
  const char* expected;
};

void expect_wrong(const Wrong& wrong) {
  try {
    bind(wrong.text);
    ADD_FAILURE() << wrong.text;
  } catch (const BadCell& error) {
    EXPECT_EQ(error.file, "my.bnf");
    EXPECT_EQ(error.line, wrong.line) << wrong.text;
    EXPECT_EQ(error.column, wrong.column) << wrong.text;
    EXPECT_EQ(error.found, wrong.found) << wrong.text;
    EXPECT_EQ(error.expected, wrong.expected) << wrong.text;
  }
}

const char* const relations =
    "<equal>, <not_equal>, <less_equal>, <greater>, <interval>, <missing>, <known>";

TEST(Grammar, SaysWhereItsSyntaxIsWrong) {
  const Wrong cases[] = {
      {"", 1, 1, "end of text", "<symbol> ::= ..."},
      {"# only a comment\n", 2, 1, "end of text", "<symbol> ::= ..."},
      {"rule ::= <equal> => <equal>", 1, 1, "rule", "<symbol> ::= ..."},
      {"<rule> ::=\n  <equal>", 2, 10, "end of text",
       "AND, OR or =>, for the first symbol is the rule"},
      {"<rule> ::= <equal> => <equal> => <equal>", 1, 31, "=>",
       "AND, OR, '|' or the next <symbol> ::="},
      {"<rule> ::= <s> => <s>\n<s> ::= <equal> => <equal>", 2, 17, "=>",
       "AND, OR, '|' or the next <symbol> ::= (only the first symbol may contain =>)"},
      {"<rule> ::= <equal> => <equal> <equal>", 1, 31, "<equal>",
       "AND, OR, '|' or the next <symbol> ::="},
      {"<rule> ::= <equal> => ( <equal>", 1, 32, "end of text", "AND, OR or ')'"},
      {"<rule> ::= <equal> => <equal> |", 1, 32, "end of text",
       "<symbol>, a comparison in double quotes, NOT or '('"},
      {"<rule> ::= <equal> => <equal> |\n<s> ::= <equal>", 2, 1, "<s>",
       "<symbol>, a comparison in double quotes, NOT or '('"},
      {"<rule> ::= age => <equal>", 1, 12, "age",
       "<symbol>, a comparison in double quotes, NOT or '('"},
      {"<rule> ::= <equal> => <rule>", 1, 23, "<rule>",
       "a symbol other than the first, which is the rule"},
      {"<rule> ::= <equal> => <s>\n<s> ::= <equal>\n<s> ::= <interval>", 3, 1, "<s>",
       "a symbol that is not defined yet"},
      {"<rule> ::= <equal => <equal>", 1, 19, "=>", "'>'"},
      {"<rule> ::= <> => <equal>", 1, 13, ">", "the name of a symbol"},
      {"<rule> ::= <equal(> => <equal>", 1, 19, ">", "the name of an attribute"},
      {"<rule> ::= <equal(age> => <equal>", 1, 22, ">", "',' or ')'"},
      {"<rule> ::= \"age > 30 => <equal>", 1, 12, "\"age > 30 => <equal>",
       "a closing double quote"},
  };
  for (const Wrong& wrong : cases) expect_wrong(wrong);
}

TEST(Grammar, SaysWhichSymbolIsUnknown) {
  const std::string known = std::string("a symbol defined in the grammar or one of ") + relations;
  expect_wrong({"<rule> ::= <side> => <equal>", 1, 12, "<side>", known.c_str()});
  const std::string bound = std::string("one of ") + relations + " before '('";
  expect_wrong({"<rule> ::= <same(age)> => <equal>", 1, 12, "<same", bound.c_str()});
}

TEST(Grammar, SaysWhichAttributeOrValueIsUnknown) {
  expect_wrong(
      {"<rule> ::= <equal(age, wage)> => <equal>", 1, 24, "wage", "the name of an attribute"});
  expect_wrong({"<rule> ::= <interval(income)> => <equal>", 1, 22, "income",
                "a numeric or ordinal attribute"});
  expect_wrong({"<rule> ::= \"income = 50K\" => <equal>", 1, 12, "50K", "a value of 'income'"});
}

void expect_empty(const char* text, std::uint32_t max_comparisons, const std::string& reason) {
  try {
    bind(text, max_comparisons);
    ADD_FAILURE() << text;
  } catch (const BadData& error) {
    EXPECT_EQ(error.what(), "my.bnf: no rule can be derived: " + reason);
  }
}

TEST(Grammar, OneThatProducesNothingSaysWhy) {
  expect_empty("<r> ::= <equal(constant)> => <equal>", 6,
               "no attribute fits <equal> (at least two values; order relations: numeric or "
               "ordinal)");
  expect_empty("<r> ::= <s> => <s> <s> ::= <s> AND <equal> | <equal> AND <s>", 6,
               "its symbols lead to each other without end");
  expect_empty("<r> ::= <equal> AND <equal> => <equal>", 2,
               "the smallest has 3 comparisons, at most 2 are allowed");
  expect_empty("<r> ::= <equal(age)> => <equal(age)>", 6,
               "none in 1000 attempts had sides without a common attribute (attributes with one "
               "value are not drawn)");
  expect_empty("<r> ::= <equal> => <equal>", 0,
               "the smallest has 2 comparisons, at most 0 are allowed");
}

TEST(Grammar, RefusesLineEndsThatItDoesNotKnow) {
  expect_wrong(
      {"<r> ::= <equal> => <equal>\n# one\r# two\n", 2, 6, "\\x0d", "line ends of LF or CR LF"});
  bind("<r> ::= <equal>\r\n => <equal> # one\r\n");
}

TEST(Grammar, HasALimitedNumberOfSymbolsAndOperands) {
  std::string many = "<r> ::= <s> => <s>\n<s> ::= <equal>";
  for (int i = 0; i < 10000; ++i) many += "\n | \"age > " + std::to_string(i) + "\"";
  expect_wrong(
      {many.c_str(), 10000, 4, "age > 9997", "at most 10000 symbols and comparisons in a grammar"});
  std::string wide = "<r> ::= <s> => <s>\n<s> ::= <equal>";
  for (int i = 0; i < 100; ++i) wide += " AND <equal>";
  expect_wrong(
      {wide.c_str(), 2, 1209, "<equal>", "at most 100 symbols and comparisons in a production"});
}

// Each symbol is known from the next: had all to be asked again for each, this took minutes.
TEST(Grammar, TakesAChainOfAnyOrder) {
  std::string falling = "<r> ::= <s1> => <equal(age)>\n";
  std::string rising = falling;
  for (int i = 1; i < 4000; ++i)
    falling += "<s" + std::to_string(i) + "> ::= <s" + std::to_string(i + 1) + ">\n";
  for (int i = 4000; i-- > 1;)
    rising += "<s" + std::to_string(i) + "> ::= <s" + std::to_string(i + 1) + ">\n";
  for (const std::string& text : {falling, rising})
    bind((text + "<s4000> ::= <equal(income)>").c_str());
}

TEST(Grammar, KnowsTwoByName) {
  for (const char* name : {"association", "association-full"})
    EXPECT_NO_THROW(bind(std::string(Grammar::builtin(name)).c_str()));
  EXPECT_THROW(Grammar::builtin("associations"), UsageError);
}

TEST(Grammar, AProductionWithoutAttributesIsLeftOut) {
  const std::vector<Attribute> labels = {nominal("a", {"x", "y"}), nominal("b", {"x", "y", "z"})};
  const BoundGrammar grammar(Grammar::parse(Grammar::builtin("association"), "association"), labels,
                             4);
  for (std::uint32_t slot = 0; slot < 200; ++slot) {
    RandomStream stream({1, 0, 0, slot, Purpose::test});
    const Derivation derivation = grammar.derive(stream);
    EXPECT_TRUE(grammar.accepts(derivation));
    for (const std::size_t node : grammar.comparison_nodes(derivation))
      EXPECT_EQ(derivation[node].comparison.low, derivation[node].comparison.high);
  }
}

}  // namespace
}  // namespace atl::test
