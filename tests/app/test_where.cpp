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

TEST(Where, EveryMeasureIsAFieldAndSoAreFiguresOnOtherRows) {
  for (const MeasureInfo& measure : measures()) {
    EXPECT_NO_THROW(rule_field_named(measure.name)) << measure.name;
  }
  EXPECT_TRUE(holds("phi > 0.2 and yule_q > 0.5 and fishers_exact_test < 0.01"));
  EXPECT_FALSE(holds("holdout_lift > 0"));  // nothing is held out
  EXPECT_TRUE(holds("not holdout_lift > 0"));
  io::WrittenRule rule = example();
  rule.held_out = io::HeldOut{{50, 10, 20, 5}, 2, 0.01, 0.02, 0.04, 0.03};
  rule.rescored = io::Rescored{{10, 0, 5, 0}, 0, 0.5, 0.25, io::Drift::gone};
  const auto of_both = [&](const std::string& text) { return parse_where(text)(rule); };
  EXPECT_TRUE(of_both("holdout_confidence = 0.5 and holdout_n = 50"));
  EXPECT_TRUE(of_both("holdout_p_value = 1% and holdout_p_productive = 0.02"));
  EXPECT_TRUE(of_both("Holdout_P_Holm = 0.04 and holdout_p_bh = 0.03"));
  EXPECT_TRUE(of_both("on_n = 10 and on_change = 0.5 and on_p_change = 0.25"));
  EXPECT_FALSE(of_both("on_confidence >= 0"));  // the antecedent never holds there
  for (const char* name :
       {"holdout_", "holdout_id", "on_drift", "on_island", "holdout_holdout_n"}) {
    EXPECT_THROW(rule_field_named(name), UsageError) << name;
  }
}

TEST(Where, RulesAreSortedBothWaysWithWhatDoesNotExistLast) {
  std::vector<io::WrittenRule> rules(4, example());
  for (std::size_t i = 0; i < rules.size(); ++i) {
    rules[i].id = i;
    rules[i].table.n_both = 5 * (i % 3);
  }
  rules[1].table = {100, 0, 40, 0};
  const auto sorted = [&](const std::string& order) {
    auto copy = rules;
    sort_rules(copy, parse_rule_order(order));
    std::string ids;
    for (const io::WrittenRule& rule : copy) ids += std::to_string(rule.id);
    return ids;
  };
  EXPECT_EQ(sorted("confidence"), "2031");
  EXPECT_EQ(sorted("  Confidence  DESC "), "2031");
  EXPECT_EQ(sorted("confidence asc"), "0321");
  for (const char* bad : {"", "beauty", "lift up", "lift asc now"}) {
    EXPECT_THROW(parse_rule_order(bad), UsageError) << bad;
  }
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
  EXPECT_EQ(fields, 9 + default_measures().size());
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

std::string refusal(const std::string& text, const RuleFigures& figures) {
  try {
    expect_fields(text, figures);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(RuleFields, ThatNoRuleOfTheRunHasAreRefused) {
  EXPECT_EQ(refusal("lift > 1 and (Holdout_lift>1)", {}),
            "no holdout_ figures without rows held out (atoll mine --holdout)");
  EXPECT_EQ(refusal("on_change asc", {}), "no on_ figures without --on DATA");
  EXPECT_EQ(refusal("implication_index > 0 or on_n > 5", {}), "no on_ figures without --on DATA");
  EXPECT_EQ(refusal("implication_index > 0 and confidence > 0.5", {}), "");
  EXPECT_EQ(refusal("", {}), "");
  EXPECT_EQ(refusal("Mean desc", {}),
            "measure 'mean' is for rules about a mean, such as --target 'mean(price)' finds");
  EXPECT_EQ(refusal("support > 0 and holdout_lift > 1", {.of_mean = true, .held_out = true}),
            "measure 'lift' says nothing of rules about a mean");
  EXPECT_EQ(refusal("holdout_mean > 1 and on_impact > 0",
                    {.of_mean = true, .held_out = true, .rescored = true}),
            "");
  EXPECT_TRUE(refusal("quantile_rest", {}).starts_with("'quantile_rest' is for rules about"));
  EXPECT_EQ(refusal("quantile_rest", {.quantiles = true}), "");
}

TEST(RuleFields, NearOnesAreSuggested) {
  EXPECT_EQ(expected_rule_field("lft"), "a field, did you mean 'lift'?");
  EXPECT_TRUE(expected_rule_field("on_conficence")
                  .starts_with("a field, did you mean 'on_confidence' or 'confidence'"));
  EXPECT_EQ(expected_rule_field("beauty"), "one of " + rule_field_names());
}

}  // namespace
}  // namespace atl
