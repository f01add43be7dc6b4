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

std::string written() {
  return rule_set_json(orchard_list(), orchard(), orchard_class, orchard_counts());
}

TEST(RuleSetJson, IsWrittenByNamesAndValues) {
  EXPECT_EQ(written(),
            R"json({
"class": {"attribute": "class", "values": ["apple", "pear & co"]},
"attributes": [{"name": "height", "kind": "numeric"}, {"name": "a <\"b\"> & c", "kind": "nominal"}, {"name": "size", "kind": "ordinal", "values": ["small", "medium", "large"]}, {"name": "planted", "kind": "date"}],
"rules": [
{"id": 1, "rule": "if height <= 2.5 AND size > small then class = \"pear & co\"", "antecedent": {"and": [{"attribute": "height", "relation": "<=", "values": [2.5], "found": [1.9]}, {"attribute": "size", "relation": ">", "values": ["small"]}]}, "class": "pear & co", "counts": {"covered": 5, "covered_correct": 4, "decided": 5, "decided_correct": 4, "decided_so_far": 5, "correct_so_far": 4}, "decided": [1, 4]},
{"id": 2, "rule": "if NOT (\"a <\\\"b\\\"> & c\" = <&>) OR planted = 1970-01-02 then class = apple", "antecedent": {"or": [{"not": {"attribute": "a <\"b\"> & c", "relation": "=", "values": ["<&>"]}}, {"attribute": "planted", "relation": "=", "kind": "date", "values": ["1970-01-02"]}]}, "class": "apple", "counts": {"covered": 8, "covered_correct": 6, "decided": 5, "decided_correct": 5, "decided_so_far": 10, "correct_so_far": 9}, "decided": [5, 0]}
],
"default": {"class": "pear & co", "counts": {"covered": 12, "covered_correct": 6, "decided": 2, "decided_correct": 2, "decided_so_far": 12, "correct_so_far": 11}, "decided": [0, 2]},
"figures": {"rows": 12, "correct": 11, "accuracy": 0.9166666666666666, "balanced_accuracy": 0.9166666666666667, "macro_f1": 0.916083916083916, "kappa": 0.8333333333333334, "confusion": [[5, 1], [0, 6]]},
"text": "if height <= 2.5 AND size > small then class = \"pear & co\"\nelse if NOT (\"a <\\\"b\\\"> & c\" = <&>) OR planted = 1970-01-02 then class = apple\nelse class = \"pear & co\"\n"
}
)json");
}

TEST(RuleSetJson, HasNoFiguresWithoutRows) {
  const std::string json =
      rule_set_json({{}, 1}, orchard(), orchard_class, {{}, std::vector<std::uint64_t>(2)});
  EXPECT_NE(json.find("\"attributes\": [],\n\"rules\": [],\n\"default\""), std::string::npos);
  EXPECT_NE(json.find("\"rows\": 0, \"correct\": 0, \"accuracy\": null"), std::string::npos);
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
