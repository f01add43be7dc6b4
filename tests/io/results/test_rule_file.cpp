#include <cstdio>
#include <cstdlib>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "io/results/rule_file.hpp"
#include "src/core/error.hpp"
#include "src/measures/significance.hpp"
#include "src/rules/rule_text.hpp"
#include "tests/core/message_of.hpp"
#include "tests/io/temporary_folder.hpp"
#include "tests/io/written_rules.hpp"
#include "tests/support/random.hpp"

namespace atl::test {
namespace {

TEST(RuleFile, comparisons_are_written_by_values) {
  const std::vector<RuleRecord> records = {
      record({{0, 3, 3}, {1, 2, 2, true}, {3, 1, 2}}, {{2, 1, 1}}),
      record({{0, 0, 1}, {3, 1, 1}}, {{2, 0, 0}}), record({{0, 1, 2}}, {{2, 1, 1}}),
      record({{0, 1, 2, true}}, {{2, 1, 1}}), record({{0, 2, 2}}, {{2, 1, 1}})};
  const auto rules = to_written(records, census());
  const auto expect = [](const WrittenComparison& c, const std::string& relation,
                         const std::vector<std::string>& values, AttributeKind kind) {
    EXPECT_EQ(c.relation, relation);
    EXPECT_EQ(c.values, values);
    EXPECT_EQ(c.kind, kind);
  };
  EXPECT_EQ(rules[0].id, 1U);
  EXPECT_EQ(rules[4].id, 5U);
  expect(rules[0].antecedent[0], ">", {"50"}, AttributeKind::numeric);
  expect(rules[0].antecedent[1], "!=", {"a => \"b\""}, AttributeKind::nominal);
  expect(rules[0].antecedent[2], ">", {"small"}, AttributeKind::nominal);
  expect(rules[0].consequent[0], "=", {">50K"}, AttributeKind::nominal);
  expect(rules[1].antecedent[0], "<=", {"40"}, AttributeKind::numeric);
  expect(rules[1].antecedent[1], "=", {"medium"}, AttributeKind::nominal);
  expect(rules[2].antecedent[0], "in", {"30", "50"}, AttributeKind::numeric);
  expect(rules[3].antecedent[0], "not in", {"30", "50"}, AttributeKind::numeric);
  expect(rules[4].antecedent[0], "=", {"41"}, AttributeKind::numeric);
}

// The words of a comparison are those of its text.
RC_GTEST_PROP(RuleFile, comparisons_agree_with_the_text, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const RandomTable table = random_table(seed, 50, 6, true);
  RandomStream stream({.seed = seed, .slot = 1});
  RuleRecord random;
  random.rule = canonical(random_rule(stream, table.attributes, 5), table.attributes);
  for (const Expression* side : {&random.rule.antecedent, &random.rule.consequent}) {
    if (side->comparisons().empty()) return;
  }
  const auto rules = to_written(std::span(&random, 1), table.attributes);
  const auto& comparisons = random.rule.antecedent.comparisons();
  for (std::size_t i = 0; i < comparisons.size(); ++i) {
    const auto& written = rules[0].antecedent[i];
    const std::string text = to_text(comparisons[i], table.attributes);
    RC_ASSERT((text + " ").find(" " + written.relation + " ") != std::string::npos);
    if (written.kind == AttributeKind::numeric) {
      for (const std::string& value : written.values) {
        RC_ASSERT(text.find(value) != std::string::npos);
      }
    }
  }
}

TEST(RuleFile, json_comes_back_as_it_was) {
  const auto rules = some_rules();
  const std::string json = io::rules_json(rules);
  const auto back = io::parse_rules_json(json, "rules.json");
  ASSERT_EQ(back.size(), rules.size());
  EXPECT_EQ(io::rules_json(back), json);
  EXPECT_EQ(io::rules_csv(back), io::rules_csv(rules));
  EXPECT_EQ(back[0].table, rules[0].table);
  EXPECT_EQ(back[0].missing_consequent, 7U);
  EXPECT_EQ(back[0].equivalents, rules[0].equivalents);
  EXPECT_EQ(back[0].antecedent[1].values, rules[0].antecedent[1].values);
  EXPECT_TRUE(io::parse_rules_json(io::rules_json({}), "rules.json").empty());
}

TEST(RuleFile, dates_are_strings_and_say_their_kind) {
  Attribute when;
  when.name = "when";
  when.kind = AttributeKind::date;
  when.low = when.high = {-86'400e6, 0, 86'400e6};
  when.exact_distinct = 3;
  Attribute hour = when;
  hour.name = "hour";
  hour.kind = AttributeKind::date_time_utc;
  const std::vector<Attribute> attributes = {when, hour};
  const RuleRecord dated = record({{0, 1, 2}}, {{1, 0, 1}});
  const auto rules = to_written(std::span(&dated, 1), attributes);
  EXPECT_EQ(rules[0].text, "when > 1969-12-31 => hour <= 1970-01-01T00:00:00Z");
  const std::string json = io::rules_json(rules);
  EXPECT_NE(json.find("{\"attribute\": \"when\", \"relation\": \">\", \"kind\": \"date\", "
                      "\"values\": [\"1969-12-31\"]}"),
            std::string::npos)
      << json;
  const auto back = io::parse_rules_json(json, "rules.json");
  EXPECT_EQ(back[0].antecedent[0].kind, AttributeKind::date);
  EXPECT_EQ(back[0].consequent[0].kind, AttributeKind::date_time_utc);
  EXPECT_EQ(io::rules_json(back), json);
}

TEST(RuleFile, the_run_of_a_collected_rule_comes_back_and_has_a_column) {
  auto rules = some_rules();
  rules[0].run = "x/seed 1";
  const auto back = io::parse_rules_json(io::rules_json(rules), "rules.json");
  EXPECT_EQ(back[0].run, "x/seed 1");
  EXPECT_EQ(back[1].run, "");
  const std::string csv = io::rules_csv(rules, {.runs = true});
  EXPECT_NE(csv.find(",run,generation,island,"), std::string::npos) << csv;
  EXPECT_NE(csv.find(",\"x/seed 1\",12,"), std::string::npos) << csv;
  EXPECT_EQ(io::rules_csv(rules).find(",run,"), std::string::npos);
}

TEST(RuleFile, definitions_come_back_and_are_told_apart) {
  RuleRecord definition = record({{1, 1, 1}}, {{2, 1, 1}});
  definition.kind = RuleKind::definition;
  auto rules = to_written(std::vector{record({{0, 3, 3}}, {{2, 1, 1}}), definition}, census());
  const std::string json = io::rules_json(rules);
  auto back = io::parse_rules_json(json, "rules.json");
  EXPECT_EQ(back[0].kind, RuleKind::rule);
  EXPECT_EQ(back[1].kind, RuleKind::definition);
  EXPECT_EQ(io::rules_json(back), json);
  const std::string csv = io::rules_csv(rules);
  EXPECT_NE(csv.find(",kind\n"), std::string::npos) << csv;
  EXPECT_NE(csv.find(",rule\n"), std::string::npos) << csv;
  EXPECT_TRUE(csv.ends_with(",definition\n")) << csv;
  EXPECT_NE(table_of(back, 0).find("        kind\n"), std::string::npos) << table_of(back, 0);

  EXPECT_EQ(erase_definitions(back), 1U);
  ASSERT_EQ(back.size(), 1U);
  EXPECT_EQ(back[0].text, rules[0].text);
  EXPECT_EQ(table_of(back, 0).find("kind"), std::string::npos);
}

TEST(RuleFile, rules_of_former_versions_have_no_kind) {
  const std::string json = io::rules_json(some_rules());
  const std::string kind = ", \"kind\": \"rule\"";
  std::string former = json;
  for (auto at = former.find(kind); at != std::string::npos; at = former.find(kind))
    former.erase(at, kind.size());
  EXPECT_EQ(io::rules_json(io::parse_rules_json(former, "x")), json);
  std::string other = json;
  other.replace(other.find(kind), kind.size(), ", \"kind\": \"rumour\"");
  EXPECT_THROW(io::parse_rules_json(other, "x"), BadData);
}

TEST(RuleFile, json_that_is_no_list_of_rules_is_refused_in_one_line) {
  const std::string good = io::rules_json(some_rules());
  for (std::size_t length = 0; length < good.size() - 1; length += 7) {
    EXPECT_THROW(io::parse_rules_json(good.substr(0, length), "x"), BadData) << length;
  }
  const auto refused = [&](const std::string& from, const std::string& to) {
    std::string bad = good;
    bad.replace(bad.find(from), from.size(), to);
    try {
      io::parse_rules_json(bad, "x");
    } catch (const BadData& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
      return true;
    }
    return false;
  };
  EXPECT_TRUE(refused("\"both\": 150", "\"both\": -150"));
  EXPECT_TRUE(refused("\"both\": 150", "\"both\": 201"));
  EXPECT_TRUE(refused("\"antecedent\": 200", "\"antecedent\": 851"));
  EXPECT_TRUE(refused("\"consequent\": 300", "\"consequent\": 1001"));
  EXPECT_TRUE(refused("\"both\": 180", "\"both\": 401"));
  EXPECT_TRUE(refused("\"both\": 150", "\"both\": 1.5"));
  EXPECT_TRUE(refused("\"both\": 150", "\"both\": \"150\""));
  EXPECT_TRUE(refused("\"island\": 3", "\"island\": 4294967296"));
  EXPECT_TRUE(refused("\"counts\"", "\"cuonts\""));
  EXPECT_TRUE(refused("\"values\": [50]", "\"values\": [41, 42]"));
  EXPECT_TRUE(refused("\"values\": [50]", "\"values\": [null]"));
  EXPECT_THROW(io::parse_rules_json("{}", "x"), BadData);
  EXPECT_THROW(io::parse_rules_json("[1]", "x"), BadData);
}

std::vector<WrittenRule> held_out_rules() {
  auto rules = some_rules();
  for (WrittenRule& rule : rules) {
    rule.held_out = HeldOut{{400, 80, 120, 60}, 3, 1e-300, 0.25, 1, 0.5};
  }
  rules[1].held_out->table = {400, 0, 120, 0};
  return rules;
}

TEST(RuleFile, json_of_others_is_refused_where_it_is_wrong) {
  const auto refusal = [](const std::string& json) {
    return message_of([&] { io::parse_rules_json(json, "x"); });
  };
  EXPECT_EQ(refusal("[{\"id\": 1"), "x:1:10: found 'the end of the text', expected JSON");
  EXPECT_EQ(refusal("[{}]\n]"), "x: rule 1: key 'id' not found");
  EXPECT_EQ(refusal("[\n  {\"id\": 1e999}]"), "x:2:14: found '1e999', expected JSON");
  EXPECT_EQ(refusal("{\"id\": 1}"), "x: a list of rules was expected");
  EXPECT_EQ(refusal("7"), "x: a list of rules was expected");
  EXPECT_EQ(refusal("[{\"id\": 1, \"id\": 2}]"), "x: rule 1: key 'id' is there twice");
  for (const char* const text :
       {"{\"a\":[1,{\"k\":2}]}", "{\"a\":[]}", "{}", "{\"a\":[{\"id\":1}]}"}) {
    EXPECT_EQ(refusal(text), "x: a list of rules was expected") << text;
  }
  const std::string deep = "x: rule 1: is nested more than 16 deep";
  EXPECT_EQ(refusal(std::string(10000000, '[')), deep);
  std::string objects;
  for (int i = 0; i < 100000; ++i) objects += "{\"a\":";
  EXPECT_EQ(refusal("[" + objects), deep);
}

TEST(RuleFile, formulas_have_an_apostrophe_that_can_be_taken_away) {
  std::vector<WrittenRule> rules = some_rules();
  rules[0].text = "+b = -2+3 => @c > 1";
  rules[1].text = "'=x = 1 => y = 1";
  rules[1].run = "=1+1";
  const std::string csv = io::rules_csv(rules, {.runs = true});
  EXPECT_NE(csv.find("\n1,\"'+b = -2+3 => @c > 1\",\"'+b = -2+3\",\"'@c > 1\","), std::string::npos)
      << csv;
  EXPECT_NE(csv.find(",\"''=x = 1\","), std::string::npos) << csv;
  EXPECT_NE(csv.find(",'=1+1,"), std::string::npos) << csv;
}

TEST(RuleFile, held_out_figures_come_back_and_stand_in_prefixed_columns) {
  const auto rules = held_out_rules();
  const std::vector<Measure> measures = {Measure::confidence, Measure::confidence_high};
  const ColumnChoice columns{.measures = measures, .held_out = true};
  const std::string json = io::rules_json(rules, columns);
  const auto back = io::parse_rules_json(json, "rules.json");
  EXPECT_EQ(io::rules_json(back, columns), json);
  EXPECT_EQ(io::rules_csv(back, columns), io::rules_csv(rules, columns));
  EXPECT_EQ(back[0].held_out->table, rules[0].held_out->table);
  EXPECT_EQ(back[0].held_out->p_value, 1e-300);
  EXPECT_NE(json.find("\"confidence_low\": null, \"confidence_high\": null"), std::string::npos);
  const std::string csv = io::rules_csv(rules, columns);
  const std::string header = csv.substr(0, csv.find('\n'));
  EXPECT_TRUE(header.ends_with(
      ",holdout_n,holdout_n_antecedent,holdout_n_consequent,holdout_n_both,"
      "holdout_missing_consequent,holdout_confidence,holdout_confidence_high,"
      "holdout_confidence_low,holdout_p_value,holdout_p_productive,holdout_p_holm,holdout_p_bh,"
      "reversed_confidence,adds,new_rows,strongest_of,variant_of,"
      "kind"))
      << header;
  EXPECT_NE(csv.find(",400,80,120,60,3,0.75,"), std::string::npos);
  const std::string table = io::rules_table(rules, 0, columns);
  EXPECT_NE(table.find("n_both  confidence  confidence_high  holdout_confidence  holdout_p_holm\n"),
            std::string::npos)
      << table;
}

TEST(RuleFile, a_p_value_that_a_former_version_wrote_as_0_is_none) {
  std::string json = io::rules_json(held_out_rules(), {.held_out = true});
  const std::string p = "\"p_value\": 1e-300";
  json.replace(json.find(p), p.size(), "\"p_value\": 0");
  const auto back = io::parse_rules_json(json, "rules.json");
  EXPECT_EQ(back[0].held_out->p_value, least_p_value);
  EXPECT_NE(io::rules_json(back, {.held_out = true}).find("\"p_value\": 2.2250738585072014e-308,"),
            std::string::npos);
}

TEST(RuleFile, held_out_figures_that_cannot_be_are_refused) {
  const std::string good = io::rules_json(held_out_rules(), {.held_out = true});
  const auto parse = [&](const std::string& from, const std::string& to) {
    std::string bad = good;
    bad.replace(bad.find(from), from.size(), to);
    io::parse_rules_json(bad, "x");
  };
  EXPECT_THROW(parse("\"p_holm\": 1", "\"p_holm\": 1.5"), BadData);
  EXPECT_THROW(parse("\"p_holm\": 1", "\"p_holm\": null"), BadData);
  EXPECT_THROW(parse("\"p_bh\": 0.5", "\"p_hb\": 0.5"), BadData);
  EXPECT_THROW(parse("\"both\": 60", "\"both\": -60"), BadData);
  EXPECT_THROW(parse("\"holdout\": {", "\"holdout\": 5, \"x\": {"), BadData);
}

// What the program writes is read by programs that are not ours.
TEST(RuleFile, means_and_quantiles_come_back) {
  RuleRecord about_mean = record({{1, 1, 1}}, {{0, 0, 3}});
  about_mean.table.target = {TargetMoments::Side::low, 20.5, 41.25, 40, 10, 3.5};
  auto rules = to_written(std::vector{about_mean}, census());
  EXPECT_EQ(rules[0].text, "\"education, level\" = Masters => low mean(age)");
  rules[0].quantiles = Quantiles{30.5, std::numeric_limits<double>::quiet_NaN()};
  const std::vector<Measure> measures = {Measure::mean, Measure::deviation};
  const ColumnChoice columns{.measures = measures, .quantiles = true};
  const std::string json = io::rules_json(rules, columns);
  EXPECT_NE(json.find("{\"attribute\": \"age\", \"relation\": \"low mean\", \"values\": []}"),
            std::string::npos)
      << json;
  const auto back = io::parse_rules_json(json, "rules.json");
  EXPECT_EQ(back[0].table, rules[0].table);
  EXPECT_EQ(io::rules_json(back, columns), json);
  EXPECT_EQ(io::rules_csv(back, columns), io::rules_csv(rules, columns));
  EXPECT_NE(io::rules_csv(rules, columns).find(",mean,deviation,quantile,quantile_rest,generation"),
            std::string::npos);
  EXPECT_NE(io::rules_csv(rules, columns).find(",20.5,3.5,30.5,,12,3,"), std::string::npos);
  for (const auto& [from, to] :
       {std::pair{"\"low\"", "\"left\""}, std::pair{"\"mean\": 20.5, \"mean_rest", "\"mean_rest"},
        std::pair{"\"values\": []", "\"values\": [1]"}}) {
    std::string damaged = json;
    damaged.replace(damaged.find(from), std::string(from).size(), to);
    EXPECT_THROW(io::parse_rules_json(damaged, "rules.json"), BadData) << from;
  }
}

TEST(RuleFile, python_reads_csv_and_json_with_the_right_types) {
  if (std::system(ATOLL_PYTHON " -c 'import pandas' 2>/dev/null") != 0) {
    GTEST_SKIP() << ATOLL_PYTHON " has no pandas";
  }
  const TemporaryFolder folder;
  spill(folder / "rules.csv", io::rules_csv(some_rules()));
  spill(folder / "rules.json", io::rules_json(some_rules()));
  spill(folder / "check.py", R"(
import csv, json, math
rows = list(csv.DictReader(open("rules.csv", newline="", encoding="utf-8")))
rules = json.load(open("rules.json", encoding="utf-8"))
assert len(rows) == len(rules) == 3
for row, rule in zip(rows, rules):
    assert int(row["id"]) == rule["id"] and row["rule"] == rule["rule"]
    assert row["antecedent"] + " => " + row["consequent"] == row["rule"]
    counts = rule["counts"]
    for column, key in (("n", "n"), ("n_antecedent", "antecedent"), ("n_consequent", "consequent"),
                        ("n_both", "both"), ("missing_consequent", "missing_consequent")):
        assert int(row[column]) == counts[key] and type(counts[key]) is int
    assert int(row["comparisons"]) == len(rule["antecedent"]) + len(rule["consequent"])
    for name, value in rule["measures"].items():
        if value is None: assert row[name] == ""
        else: assert float(row[name]) == float(value)
    assert int(row["generation"]) == rule["generation"] and int(row["island"]) == rule["island"]
    assert json.loads(row["equivalents"] or "[]") == rule["equivalents"] and row["kind"] == rule["kind"]
first, never, always = rules
assert first["antecedent"][0] == {
    "attribute": "age", "relation": ">", "values": [50], "found": [41]}
assert first["antecedent"][1]["values"] == ['a => "b"']
assert first["measures"]["confidence"] == 0.75 and type(first["measures"]["lift"]) is float
assert len(first["equivalents"]) == 2
assert never["measures"]["confidence"] is None and never["measures"]["support"] == 0
assert always["measures"]["conviction"] == "inf" and float(rows[2]["conviction"]) == math.inf

import pandas
table = pandas.read_csv("rules.csv")
assert len(table) == 3 and list(table.columns) == list(rows[0])
whole = ["id", "n", "n_antecedent", "n_consequent", "n_both", "missing_consequent", "comparisons",
         "generation", "island"]
texts = ["rule", "antecedent", "consequent", "equivalents", "kind"]
for column in table.columns:
    expected = "int64" if column in whole else "object" if column in texts else "float64"
    assert table[column].dtype == expected, (column, table[column].dtype)
frame = pandas.read_json("rules.json")
assert frame["id"].dtype == "int64" and frame["rule"].dtype == "object"
counts = pandas.json_normalize(list(frame["counts"]))
assert (counts.dtypes == "int64").all() and list(counts["both"]) == list(table["n_both"])
)");
  EXPECT_EQ(std::system(("cd " + folder.path() + " && " ATOLL_PYTHON " check.py").c_str()), 0);
}

TEST(RuleFile, rules_with_figures_that_others_lack_are_refused) {
  std::vector<WrittenRule> rules(2);
  for (WrittenRule& rule : rules) rule.table = {10, 5, 5, 5};
  EXPECT_EQ(io::parse_rules_json(io::rules_json(rules), "r.json").size(), 2U);
  rules[1].held_out.emplace();
  rules[1].held_out->table = {10, 5, 5, 5};
  EXPECT_EQ(message_of([&] { io::parse_rules_json(io::rules_json(rules), "r.json"); }),
            "r.json: rule 2: has other keys than the first");
}

TEST(RuleFile, a_long_list_is_read_in_parts) {
  auto rules = to_written(std::vector<RuleRecord>{record({{0, 3, 3}}, {{2, 1, 1}})}, census());
  rules.front().text += std::string(2'000'000, 'x');
  while (rules.size() < 7) rules.push_back(rules.front());
  for (std::size_t i = 0; i < rules.size(); ++i) rules[i].id = i + 1;
  const std::string json = io::rules_json(rules);
  EXPECT_EQ(io::rules_json(io::parse_rules_json(json, "r.json")), json);
  std::string damaged = json;
  damaged.replace(damaged.find("\"id\": 6"), 7, "\"id\": -6");
  EXPECT_EQ(message_of([&] { io::parse_rules_json(damaged, "r.json"); }),
            "r.json: rule 6: \"id\" is not a count");
}

TEST(RuleFile, history_has_a_line_for_each_island_and_generation) {
  HistoryRow row;
  row.generation = 2;
  row.island = 1;
  row.evaluated = 600;
  row.feasible = 20;
  row.best = {0.25, std::numeric_limits<double>::quiet_NaN()};
  row.mean = {0.125, std::numeric_limits<double>::infinity()};
  row.mean_comparisons = 3.5;
  const std::vector<std::string> maximize = {"leverage", "lift"};
  EXPECT_EQ(io::history_csv(std::span(&row, 1), maximize),
            "generation,island,evaluated,feasible,mean_comparisons,best_leverage,best_lift,"
            "mean_leverage,mean_lift\n2,1,600,20,3.5,0.25,,0.125,inf\n");
}

}  // namespace
}  // namespace atl::test
