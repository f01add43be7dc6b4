#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "io/results/rule_set_json.hpp"
#include "src/core/error.hpp"
#include "src/rules/rule_set_text.hpp"
#include "tests/io/class_list.hpp"

namespace atl::io {
namespace {

using atl::test::orchard;
using atl::test::orchard_class;
using atl::test::orchard_counts;
using atl::test::orchard_list;
using atl::test::orchard_smoothing;

std::string written() {
  return rule_set_json(orchard_list(), orchard(), orchard_class, orchard_counts(),
                       orchard_smoothing());
}

TEST(RuleSetJson, IsWrittenByNamesAndValues) {
  EXPECT_EQ(written(),
            R"json({
"class": {"attribute": "class", "values": ["apple", "pear & co"]},
"attributes": [{"name": "height", "kind": "numeric"}, {"name": "a <\"b\"> & c", "kind": "nominal"}, {"name": "size", "kind": "ordinal", "values": ["small", "medium", "large"]}, {"name": "planted", "kind": "date"}],
"smoothing": {"rows": 2, "shares": [0.5, 0.5]},
"rules": [
{"id": 1, "rule": "if height <= 2.5 AND size > small then class = \"pear & co\"", "antecedent": {"and": [{"attribute": "height", "relation": "<=", "values": [2.5], "found": [1.9]}, {"attribute": "size", "relation": ">", "values": ["small"]}]}, "class": "pear & co", "counts": {"covered": 5, "covered_correct": 4, "decided": 5, "decided_correct": 4, "decided_so_far": 5, "correct_so_far": 4}, "decided": [1, 4], "probabilities": [0.2857142857142857, 0.7142857142857143]},
{"id": 2, "rule": "if NOT (\"a <\\\"b\\\"> & c\" = <&>) OR planted = 1970-01-02 then class = apple", "antecedent": {"or": [{"not": {"attribute": "a <\"b\"> & c", "relation": "=", "values": ["<&>"]}}, {"attribute": "planted", "relation": "=", "kind": "date", "values": ["1970-01-02"]}]}, "class": "apple", "counts": {"covered": 8, "covered_correct": 6, "decided": 5, "decided_correct": 5, "decided_so_far": 10, "correct_so_far": 9}, "decided": [5, 0], "probabilities": [0.8571428571428571, 0.14285714285714285]}
],
"default": {"class": "pear & co", "counts": {"covered": 12, "covered_correct": 6, "decided": 2, "decided_correct": 2, "decided_so_far": 12, "correct_so_far": 11}, "decided": [0, 2], "probabilities": [0.25, 0.75]},
"figures": {"rows": 12, "correct": 11, "accuracy": 0.9166666666666666, "balanced_accuracy": 0.9166666666666667, "macro_f1": 0.916083916083916, "kappa": 0.8333333333333334, "log_loss": 0.3287307882516728, "brier": 0.17729591836734696, "auc": 0.9444444444444444, "confusion": [[5, 1], [0, 6]]},
"text": "if height <= 2.5 AND size > small then class = \"pear & co\"\nelse if NOT (\"a <\\\"b\\\"> & c\" = <&>) OR planted = 1970-01-02 then class = apple\nelse class = \"pear & co\"\n"
}
)json");
}

TEST(RuleSetJson, HasNoFiguresWithoutRows) {
  const std::string json = rule_set_json({{}, 1}, orchard(), orchard_class,
                                         {{}, std::vector<std::uint64_t>(2)}, {2, {0.75, 0.25}});
  EXPECT_NE(json.find("\"attributes\": [],\n\"smoothing\""), std::string::npos);
  EXPECT_NE(json.find("\"rules\": [],\n\"default\""), std::string::npos);
  EXPECT_NE(json.find("\"probabilities\": [0.75, 0.25]"), std::string::npos);
  EXPECT_NE(json.find("\"rows\": 0, \"correct\": 0, \"accuracy\": null"), std::string::npos);
  EXPECT_NE(json.find("\"log_loss\": null, \"brier\": null, \"auc\": null"), std::string::npos);
}

TEST(RuleSetJson, IsReadBackIntoAListThatDecidesAlike) {
  const WrittenRuleSet list = parse_rule_set_json(written(), "list.json");
  const std::vector<Attribute> attributes = orchard();
  EXPECT_EQ(list.class_attribute.labels, attributes[orchard_class].labels);
  const RuleSet again =
      parse_rule_set_for(list.text, attributes, list.attributes, list.class_attribute, "list");
  EXPECT_EQ(canonical(again, attributes), orchard_list());
  // Of a table that has no medium size, whose place the file tells.
  std::vector<Attribute> others = attributes;
  others[2] = atl::test::ordinal("size", {"small", "large", "huge"});
  const RuleSet there =
      parse_rule_set_for("if size <= medium then class = apple else class = apple", others,
                         list.attributes, list.class_attribute, "list");
  EXPECT_EQ(there.rules[0].antecedent, Expression::of({2, 0, 0, false}));
}

/// As text, without some words, as files of former versions are.
std::string without(std::string json, const std::string& begin, const std::string& end) {
  for (std::size_t at = json.find(begin); at != std::string::npos; at = json.find(begin)) {
    json.erase(at, json.find(end, at) + end.size() - at);
  }
  return json;
}

TEST(RuleSetJson, ProbabilitiesAreReadBack) {
  const Smoothing other{8, {0.9, 0.1}};
  const std::string json =
      rule_set_json(orchard_list(), orchard(), orchard_class, orchard_counts(), other);
  EXPECT_EQ(parse_rule_set_json(json, "list.json").probabilities,
            class_probabilities(orchard_counts().decided, other));
}

TEST(RuleSetJson, OfAFormerVersionTheyAreSharesSmoothedByTwoRows) {
  std::string json = without(written(), ", \"probabilities\": [", "]");
  json = without(json, "\"smoothing\": {", "},\n");
  EXPECT_EQ(json.find("probab"), std::string::npos);
  EXPECT_EQ(parse_rule_set_json(json, "list.json").probabilities,
            class_probabilities(orchard_counts().decided, orchard_smoothing()));
}

TEST(RuleSetJson, RefusesProbabilitiesThatCannotBe) {
  const std::string good = written();
  const std::string of_default = "[0.25, 0.75]";
  for (const char* const bad :
       {"[0.25]", "[0.25, 0.5, 0.25]", "[1.5, 0]", "[-0.1, 0.5]", "[\"a\", 1]", "[null, 1]", "2"}) {
    std::string json = good;
    json.replace(json.find(of_default), of_default.size(), bad);
    EXPECT_THROW(parse_rule_set_json(json, "list.json"), BadData) << bad;
  }
  std::string json = good;  // of one rule alone they are missing
  const std::string of_rule = ", \"probabilities\": [0.2857142857142857, 0.7142857142857143]";
  json.erase(json.find(of_rule), of_rule.size());
  EXPECT_THROW(parse_rule_set_json(json, "list.json"), BadData);
}

TEST(RuleSetJson, RefusesWhatIsNoList) {
  for (const char* const json :
       {"", "{", "[]", "{}", R"({"text": 3})",
        R"({"text": "", "class": {"attribute": "c", "values": [1]}, "attributes": []})",
        R"({"text": "", "class": {"attribute": "c", "values": []}, "attributes": [{"name": "x"}]})",
        R"({"text": "", "class": {"attribute": "c", "values": []},
            "attributes": [{"name": "x", "kind": "odd"}]})"})
    EXPECT_THROW(parse_rule_set_json(json, "list.json"), BadData) << json;
  EXPECT_THROW(parse_rule_set_json(std::string(1000000, '['), "list.json"), BadData);
  for (const char* const count : {"-1", "0.5", "18446744073709551616", "\"1\""}) {
    std::string json = written();
    json.replace(json.rfind("\"decided\": [0,") + 12, 1, count);
    EXPECT_THROW(parse_rule_set_json(json, "list.json"), BadData) << count;
  }
  try {
    parse_rule_set_json("{\"text\":\n  oops}", "list.json");
    ADD_FAILURE();
  } catch (const BadCell& error) {
    EXPECT_EQ(error.line, 2U);
    EXPECT_EQ(error.column, 3U);
  }
}

}  // namespace
}  // namespace atl::io
