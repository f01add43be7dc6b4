#include <sstream>

#include <gtest/gtest.h>

#include "src/app/where.hpp"
#include "src/core/error.hpp"
#include "src/rules/measures.hpp"

namespace atl {
namespace {

/// 100 rows, 20 in the antecedent, 40 in the consequent, 15 in both: confidence 0.75, lift 1.875.
io::WrittenRule example() {
  io::WrittenRule rule;
  rule.id = 3;
  rule.antecedent.resize(2);
  rule.consequent.resize(1);
  rule.table = {100, 20, 40, 15};
  rule.missing_consequent = 4;
  rule.generation = 7;
  rule.island = 1;
  return rule;
}

bool holds(const std::string& text) {
  return parse_where(text)(example());
}

TEST(Where, ComparesMeasuresAndCounts) {
  EXPECT_TRUE(holds("support = 0.15"));
  EXPECT_TRUE(holds("support = 15%"));
  EXPECT_TRUE(holds("confidence >= 0.75"));
  EXPECT_FALSE(holds("confidence > 0.75"));
  EXPECT_TRUE(holds("1.8 < lift"));
  EXPECT_TRUE(holds("n = 100 and n_antecedent = 20 and n_consequent = 40 and n_both = 15"));
  EXPECT_TRUE(holds("missing_consequent = 4 and comparisons = 3 and generation = 7"));
  EXPECT_TRUE(holds("island = 1 and id = 3"));
  EXPECT_TRUE(holds("n_both<n_antecedent"));
  EXPECT_TRUE(holds("N_Both = 15 and LIFT > 1"));
  EXPECT_TRUE(holds("lift!=1"));
}

TEST(Where, FieldsAreTheColumnsOfNumbersInRulesCsv) {
  const std::vector<io::WrittenRule> none;
  std::istringstream header(io::rules_csv(none));
  std::string line;
  std::getline(header, line);
  std::istringstream columns(line);
  std::size_t fields = 0;
  for (std::string name; std::getline(columns, name, ',');) {
    if (name == "rule" || name == "antecedent" || name == "consequent" || name == "equivalents") {
      EXPECT_THROW(rule_field_named(name), UsageError) << name;
      continue;
    }
    EXPECT_NO_THROW(rule_field_named(name)) << name;
    ++fields;
  }
  EXPECT_EQ(fields, 9 + measures().size());
  EXPECT_EQ(rule_field_named("n_both")(example()), 15);
  EXPECT_EQ(rule_field_named("Support")(example()), 0.15);
}

TEST(Where, ComparesWithInfinity) {
  io::WrittenRule certain = example();
  certain.table.n_both = certain.table.n_antecedent;
  EXPECT_TRUE(parse_where("conviction = inf")(certain));
  EXPECT_TRUE(parse_where("conviction > 1 and conviction < Inf")(example()));
  EXPECT_TRUE(parse_where("lift > -inf")(example()));
}

TEST(Where, BindsNotBeforeAndBeforeOr) {
  EXPECT_TRUE(holds("id = 3 or id = 3 and id = 4"));
  EXPECT_FALSE(holds("(id = 3 or id = 3) and id = 4"));
  EXPECT_FALSE(holds("not id = 3 and id = 3"));
  EXPECT_TRUE(holds("NOT (id = 3 AND id = 4)"));
  EXPECT_TRUE(holds("Not Not id = 3"));
}

TEST(Where, ValuesThatDoNotExistCompareFalse) {
  io::WrittenRule empty = example();
  empty.table = {100, 0, 40, 0};
  for (const char* relation : {"<", "<=", ">", ">=", "=", "!="}) {
    EXPECT_FALSE(parse_where("confidence " + std::string(relation) + " 0.5")(empty)) << relation;
  }
  EXPECT_TRUE(parse_where("not confidence > 0.5")(empty));
}

TEST(Where, SaysWhereItIsWrong) {
  const auto message = [](const std::string& text) -> std::string {
    try {
      parse_where(text);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_TRUE(message("lift >").starts_with("--where: column 7: found the end, expected a number"));
  EXPECT_TRUE(message("lft > 2").starts_with("--where: column 1: found 'lft', expected a number"));
  EXPECT_EQ(message("lift 2"), "--where: column 6: found '2', expected one of < <= > >= = !=");
  EXPECT_EQ(message("(lift > 2"), "--where: column 10: found the end, expected ')'");
  EXPECT_EQ(message("lift > 2 lift"),
            "--where: column 10: found 'lift', expected AND, OR or the end");
  EXPECT_TRUE(message("").starts_with("--where: column 1: found the end, expected a number"));
  EXPECT_NE(message("lift ! 2"), "accepted");
  EXPECT_NE(message(std::string(100000, '(')), "accepted");
  std::string nots;
  for (int i = 0; i < 100000; ++i) nots += "not ";
  EXPECT_NE(message(nots), "accepted");
}

}  // namespace
}  // namespace atl
