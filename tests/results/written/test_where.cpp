#include <sstream>

#include <gtest/gtest.h>

#include "io/results/rule_file.hpp"
#include "src/core/error.hpp"
#include "src/measures/measures.hpp"
#include "src/measures/significance.hpp"
#include "src/results/written/where.hpp"

namespace atl {
namespace {
/// 100 rows, 20 in the antecedent, 40 in the consequent, 15 in both.
WrittenRule example() {
  WrittenRule rule;
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
  return parse_where(text).holds(example());
}

TEST(Where, TakesManyParts) {
  std::string both = "support > 0", either = "support > 1";
  for (int i = 0; i < 20000; ++i) {
    both += " and support > 0";
    either += " or support > 1";
  }
  EXPECT_TRUE(holds(both));
  EXPECT_FALSE(holds(both + " and support > 1"));
  EXPECT_FALSE(holds(either));
  EXPECT_TRUE(holds(either + " or support > 0"));
}

TEST(Where, IsNestedSoFar) {
  for (const std::string open : {"(", "not ("}) {
    std::string deep;
    for (int i = 0; i < 100000; ++i) deep += open;
    EXPECT_THROW(holds(deep + "support > 0"), UsageError);
  }
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
  WrittenRule rule = example();
  rule.held_out = HeldOut{{50, 10, 20, 5}, 2, 0.01, 0.02, 0.04, 0.03};
  rule.rescored = Rescored{{10, 0, 5, 0}, 0, 0.5, 0.25, Drift::gone};
  const auto of_both = [&](const std::string& text) { return parse_where(text).holds(rule); };
  EXPECT_TRUE(of_both("holdout_confidence = 0.5 and holdout_n = 50"));
  EXPECT_TRUE(of_both("holdout_p_value = 1% and holdout_p_productive = 0.02"));
  EXPECT_TRUE(of_both("Holdout_P_Holm = 0.04 and holdout_p_bh = 0.03"));
  EXPECT_TRUE(of_both("on_n = 10 and on_change = 0.5 and on_p_change = 0.25"));
  EXPECT_FALSE(of_both("on_confidence >= 0"));  // the antecedent never holds there
  for (const char* name : {"holdout_", "holdout_id", "on_island", "holdout_holdout_n"}) {
    EXPECT_THROW(rule_field_named(name), UsageError) << name;
  }
  EXPECT_TRUE(of_both("on_drift = gone and on_drift != fell"));
}

namespace {
std::string ids_sorted(std::vector<WrittenRule> rules, const std::string& order) {
  sort_rules(rules, parse_rule_order(order));
  std::string ids;
  for (const WrittenRule& rule : rules) ids += std::to_string(rule.id);
  return ids;
}

}  // namespace

TEST(Where, RulesAreSortedBothWaysWithWhatDoesNotExistLast) {
  std::vector<WrittenRule> rules(4, example());
  for (std::size_t i = 0; i < rules.size(); ++i) {
    rules[i].id = i;
    rules[i].table.n_both = 5 * (i % 3);
  }
  rules[1].table = {100, 0, 40, 0};
  const auto sorted = [&](const std::string& order) { return ids_sorted(rules, order); };
  EXPECT_EQ(sorted("confidence"), "2031");
  EXPECT_EQ(sorted("  Confidence  DESC "), "2031");
  EXPECT_EQ(sorted("confidence asc"), "0321");
  EXPECT_EQ(sorted("-confidence"), "0321");
  for (const char* bad : {"", "beauty", "lift up", "lift asc now", "-lift asc", "- lift", "--lift",
                          "lift,", ",lift", "lift,,n", "lift asc,n up", "lift n"}) {
    EXPECT_THROW(parse_rule_order(bad), UsageError) << bad;
  }
}

TEST(Where, RulesEqualByOneFieldAreSortedByTheNext) {
  std::vector<WrittenRule> rules(6, example());
  for (std::size_t i = 0; i < rules.size(); ++i) {
    rules[i].id = i;
    rules[i].table.n_both = 5 * (i % 2);
    rules[i].island = static_cast<std::uint32_t>(i / 3);
  }
  rules[5].table = {100, 0, 40, 0};  // no confidence
  const auto sorted = [&](const std::string& order) { return ids_sorted(rules, order); };
  EXPECT_EQ(sorted("confidence,island"), "314025");
  EXPECT_EQ(sorted("confidence,-island"), "130245");
  EXPECT_EQ(sorted("-confidence , island desc"), "402315");
  EXPECT_EQ(sorted("confidence asc,-island,-id"), "024135");
  EXPECT_EQ(sorted("island,confidence,id desc"), "345120");
  EXPECT_EQ(sorted("n"), "012345") << "all are equal";
  EXPECT_EQ(parse_rule_order("Lift,-N_Both, holdout_lift asc").fields,
            (std::vector<std::string>{"lift", "n_both", "holdout_lift"}));
}

TEST(Where, EveryColumnKnowsItsGoodEnd) {
  std::vector<WrittenRule> rules(3, example());
  for (std::size_t i = 0; i < rules.size(); ++i) {
    rules[i].id = i;
    rules[i].held_out = HeldOut{{50, 10, 20, 5}, 2, 0.1, 0.1, 0.01 * static_cast<double>(i * i), 1};
    rules[i].antecedent.resize(3 - i);
    rules[i].equivalents.resize(i);
    rules[i].kind = static_cast<RuleKind>(2 - i);
    rules[i].text = std::string(1, static_cast<char>('c' - i)) + " = 1 => d = 1";
  }
  rules[0].held_out->p_holm = 0.5;
  const auto sorted = [&](const std::string& order) { return ids_sorted(rules, order); };
  EXPECT_EQ(sorted("holdout_p_holm"), "120") << "the most significant first";
  EXPECT_EQ(sorted("holdout_p_holm asc"), "120");
  EXPECT_EQ(sorted("holdout_p_holm desc"), "021");
  EXPECT_EQ(sorted("comparisons"), "210") << "the shortest first";
  EXPECT_EQ(sorted("id"), "012");
  EXPECT_EQ(sorted("equivalents"), "210") << "the most first";
  EXPECT_EQ(sorted("kind"), "210") << "rules before variants before definitions";
  EXPECT_EQ(sorted("kind desc"), "012");
  EXPECT_EQ(sorted("rule"), "210");
  EXPECT_EQ(sorted("Antecedent desc"), "012");
  for (const MeasureInfo& measure : measures()) {
    const bool least = measure.name == "imbalance" || measure.name == "fishers_exact_test" ||
                       measure.name == "implication_index" || measure.name == "ralambondrainy";
    EXPECT_EQ(measure.less_is_better, least) << measure.name;
    EXPECT_FALSE(measure.steers && measure.less_is_better) << measure.name;
  }
}

TEST(Where, TheGoodEndOfAMeanIsThatOfTheSide) {
  std::vector<WrittenRule> rules(2, example());
  for (std::size_t i = 0; i < rules.size(); ++i) {
    rules[i].id = i;
    rules[i].table.target = {TargetMoments::Side::high, static_cast<double>(i), 0, 0, 1, 1};
  }
  EXPECT_EQ(ids_sorted(rules, "mean"), "10");
  for (WrittenRule& rule : rules) rule.table.target.side = TargetMoments::Side::low;
  EXPECT_EQ(ids_sorted(rules, "mean"), "01");
  EXPECT_EQ(ids_sorted(rules, "mean desc"), "10");
}

TEST(RuleFields, ColumnsAreNamedInAnyCase) {
  EXPECT_EQ(parse_rule_columns("rule, Lift,holdout_p_holm"),
            (std::vector<std::string>{"rule", "lift", "holdout_p_holm"}));
  for (const char* bad : {"", "beauty", "lift,lift", "lift,,rule", "lift asc"})
    EXPECT_THROW(parse_rule_columns(bad), UsageError) << bad;
}

TEST(Where, LeastPValuesAreEqual) {
  std::vector<WrittenRule> rules(3, example());
  for (std::size_t i = 0; i < rules.size(); ++i) {
    rules[i].id = i;
    rules[i].table = {100'000, 30'000, 40'000, 29'000 + 100 * i};  // of a p that no double holds
  }
  sort_rules(rules, parse_rule_order("-fishers_exact_test,n_both"));
  EXPECT_EQ(rules[0].id, 2U);
  EXPECT_EQ(rule_field_named("fishers_exact_test")(rules[0]), least_p_value);
}

TEST(Where, FieldsAreTheColumnsOfNumbersInRulesCsv) {
  const std::vector<WrittenRule> none;
  std::istringstream header(io::rules_csv(none));
  std::string line;
  std::getline(header, line);
  std::istringstream columns(line);
  std::size_t fields = 0;
  for (std::string name; std::getline(columns, name, ',');) {
    if (name == "rule" || name == "antecedent" || name == "consequent" || name == "kind" ||
        name == "adds") {
      EXPECT_THROW(rule_field_named(name), UsageError) << name;
      continue;
    }
    EXPECT_NO_THROW(rule_field_named(name)) << name;
    ++fields;
  }
  EXPECT_EQ(fields, 14 + default_measures().size());
  EXPECT_EQ(rule_field_named("n_both")(example()), 15);
  EXPECT_EQ(rule_field_named("Support")(example()), 0.15);
}

TEST(Where, ComparesWithInfinity) {
  WrittenRule certain = example();
  certain.table.n_both = certain.table.n_antecedent;
  EXPECT_TRUE(parse_where("conviction = inf").holds(certain));
  EXPECT_TRUE(parse_where("conviction > 1 and conviction < Inf").holds(example()));
  EXPECT_TRUE(parse_where("lift > -inf").holds(example()));
}

TEST(Where, BindsNotBeforeAndBeforeOr) {
  EXPECT_TRUE(holds("id = 3 or id = 3 and id = 4"));
  EXPECT_FALSE(holds("(id = 3 or id = 3) and id = 4"));
  EXPECT_FALSE(holds("not id = 3 and id = 3"));
  EXPECT_TRUE(holds("NOT (id = 3 AND id = 4)"));
  EXPECT_TRUE(holds("Not Not id = 3"));
}

TEST(Where, ValuesThatDoNotExistCompareFalse) {
  WrittenRule empty = example();
  empty.table = {100, 0, 40, 0};
  for (const char* relation : {"<", "<=", ">", ">=", "=", "!="}) {
    EXPECT_FALSE(parse_where("confidence " + std::string(relation) + " 0.5").holds(empty))
        << relation;
  }
  EXPECT_TRUE(parse_where("not confidence > 0.5").holds(empty));
}

WrittenRule about_income() {
  WrittenRule rule = example();
  rule.antecedent = {{"age", ">", {"41"}, AttributeKind::numeric},
                     {"marital status", "=", {"single"}}};
  rule.consequent = {{"income", "=", {">50K"}}};
  return rule;
}

TEST(Where, AsksWhichSideNamesAnAttribute) {
  const auto is = [](const std::string& text) { return parse_where(text).holds(about_income()); };
  EXPECT_TRUE(is("income in rule"));
  EXPECT_TRUE(is("age IN Rule"));
  EXPECT_TRUE(is("income in consequent"));
  EXPECT_FALSE(is("income in antecedent"));
  EXPECT_TRUE(is("age in antecedent and not age in consequent"));
  EXPECT_TRUE(is("income not in antecedent"));
  EXPECT_FALSE(is("income NOT IN rule"));
  EXPECT_TRUE(is("not income not in rule"));
  EXPECT_FALSE(is("Income in rule")) << "names are the data's";
  EXPECT_TRUE(is("\"marital status\" in antecedent"));
  EXPECT_TRUE(is("\"marital status\"in antecedent"));
  EXPECT_FALSE(is("\"marital status\" not in rule"));
  EXPECT_TRUE(is("lift > 1.1 and not sex in antecedent and (income in rule or age in consequent)"));
  EXPECT_FALSE(is("lift > 1.1 and age not in antecedent"));
}

TEST(Where, AsksForLabels) {
  const auto is = [](const std::string& text) { return parse_where(text).holds(about_income()); };
  EXPECT_TRUE(is("income = \">50K\""));
  EXPECT_FALSE(is("income = \"<=50K\""));
  EXPECT_TRUE(is("income != \"<=50K\" and not income != \">50K\""));
  EXPECT_TRUE(is("income = \">50K\" in consequent"));
  EXPECT_FALSE(is("income=\">50K\" in antecedent"));
  EXPECT_TRUE(is("\"marital status\" = single and lift > 1"));
  EXPECT_FALSE(is("\"marital status\" = widowed"));
  EXPECT_FALSE(is("age = 41")) << "it is greater";
  EXPECT_EQ(parse_where("income = \">50K\" or \"lift\" = high").attributes,
            (std::vector<std::string>{"income", "lift"}));
  EXPECT_THROW(is("income = >50K"), UsageError);
  EXPECT_THROW(is("income = \">50K\" in list"), UsageError);
}

TEST(Where, AsksForTexts) {
  WrittenRule rule = about_income();
  rule.kind = RuleKind::variant;
  rule.run = "first run";
  const auto is = [&](const std::string& text) { return parse_where(text).holds(rule); };
  EXPECT_TRUE(is("kind = variant and Kind != rule"));
  EXPECT_TRUE(is("not kind = \"definition\""));
  EXPECT_TRUE(is("run = \"first run\""));
  EXPECT_FALSE(is("on_drift = kept or on_drift != kept")) << "there is none";
  EXPECT_TRUE(is("equivalents = 0"));
  EXPECT_EQ(parse_where("KIND = variant").fields, std::vector<std::string>{"kind"});
}

TEST(Where, AnyNameCanBeAsked) {
  WrittenRule rule = example();
  for (const char* name : {"a b", "lift", "in", "x(1)", "a\"b\\c", "not", "a<=b", "1", "tab\t"}) {
    rule.antecedent = {{name, "=", {"1"}}};
    std::string quoted = "\"";
    for (const char* c = name; *c != 0; ++c) {
      if (*c == '"' || *c == '\\') quoted += '\\';
      quoted += *c;
    }
    const Where where = parse_where(quoted + "\" in antecedent");
    EXPECT_TRUE(where.holds(rule)) << name;
    EXPECT_EQ(where.attributes, std::vector<std::string>{name});
    EXPECT_FALSE(where.holds(example())) << name;
  }
  rule.antecedent = {{"lift", "=", {"1"}}, {"in", "=", {"1"}}, {"a-b.c,d", "=", {"1"}}};
  EXPECT_TRUE(parse_where("lift in rule and in in rule and a-b.c,d in rule").holds(rule));
}

TEST(Where, TellsWhatItNames) {
  const Where where = parse_where("LIFT > 1 and a in rule or not (n > 5% and \"b c\" not in rule)");
  EXPECT_EQ(where.fields, (std::vector<std::string>{"lift", "n"}));
  EXPECT_EQ(where.attributes, (std::vector<std::string>{"a", "b c"}));
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
  EXPECT_EQ(message("income in"),
            "--where: column 10: found the end, expected rule, antecedent or consequent");
  EXPECT_EQ(message("income not in 5"),
            "--where: column 15: found '5', expected rule, antecedent or consequent");
  EXPECT_EQ(message("\"income\" > 5"), "--where: column 10: found '>', expected IN or NOT IN");
  EXPECT_EQ(message("kind > rule"), "--where: column 6: found '>', expected = or !=");
  EXPECT_EQ(message("kind = varaint"),
            "--where: column 8: found 'varaint', expected a kind, did you mean 'variant'?");
  EXPECT_TRUE(message("p_holm < 0.05").ends_with("did you mean 'holdout_p_holm' or 'on_p_holm'?"));
  EXPECT_EQ(message("\"income\" not > 5"), "--where: column 14: found '>', expected IN or NOT IN");
  EXPECT_EQ(message("lift > 1 and \"income in rule"),
            "--where: column 14: found '\"income', expected a closing double quote");
  EXPECT_NE(message("\"in\\come\" in rule"), "accepted");
  EXPECT_NE(message("marital status in rule"), "accepted");
  EXPECT_NE(message("not in rule"), "accepted");
  EXPECT_NE(message("in rule"), "accepted");
  EXPECT_NE(message("(income) in rule"), "accepted");
  EXPECT_NE(message(std::string(100000, '(')), "accepted");
  std::string nots;
  for (int i = 0; i < 100000; ++i) nots += "not ";
  EXPECT_NE(message(nots), "accepted");
}

std::string refusal(const std::string& text, const RuleFigures& figures) {
  try {
    expect_fields(parse_where(text).fields, figures);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(RuleFields, ThatNoRuleOfTheRunHasAreRefused) {
  EXPECT_EQ(refusal("lift > 1 and (Holdout_lift>1)", {}),
            "no holdout_ figures without rows held out (atoll mine --holdout)");
  EXPECT_EQ(refusal("on_change > 0", {}), "no on_ figures without --on DATA");
  EXPECT_EQ(refusal("implication_index > 0 or on_n > 5", {}), "no on_ figures without --on DATA");
  EXPECT_EQ(refusal("implication_index > 0 and confidence > 0.5", {}), "");
  EXPECT_EQ(refusal("holdout_lift in rule", {}), "");
  EXPECT_EQ(refusal("not Mean > 3", {}),
            "measure 'mean' is for rules about a mean, such as --target 'mean(price)' finds");
  EXPECT_EQ(refusal("support > 0 and holdout_lift > 1", {.of_mean = true, .held_out = true}),
            "measure 'lift' says nothing of rules about a mean");
  EXPECT_EQ(refusal("holdout_mean > 1 and on_impact > 0",
                    {.of_mean = true, .held_out = true, .rescored = true}),
            "");
  EXPECT_TRUE(refusal("quantile_rest > 1", {}).starts_with("'quantile_rest' is for rules about"));
  EXPECT_EQ(refusal("quantile_rest > 1", {.quantiles = true}), "");
}

TEST(RuleFields, NearOnesAreSuggested) {
  EXPECT_EQ(expected_rule_field("lft"), "a field, did you mean 'lift'?");
  EXPECT_TRUE(expected_rule_field("on_conficence")
                  .starts_with("a field, did you mean 'on_confidence' or 'confidence'"));
  EXPECT_EQ(expected_rule_field("P_Holm"),
            "a field, did you mean 'holdout_p_holm' or 'on_p_holm'?");
  EXPECT_EQ(expected_rule_field("p_value"),
            "a field, did you mean 'holdout_p_value' or 'on_p_value'?");
  EXPECT_EQ(expected_rule_field("drift"), "a field, did you mean 'on_drift'?");
  EXPECT_EQ(expected_rule_field("length"), "a field, did you mean 'comparisons'?");
  EXPECT_EQ(expected_rule_field("beauty"), "a field such as lift (atoll rules --help lists them)");
}

}  // namespace
}  // namespace atl
