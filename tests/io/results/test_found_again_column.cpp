#include <string>

#include <gtest/gtest.h>

#include "io/results/rule_file.hpp"
#include "src/core/error.hpp"
#include "tests/io/written_rules.hpp"

namespace atl::test {

TEST(FoundAgainColumn, shares_found_again_come_back_and_stand_before_the_kind) {
  auto rules = some_rules();
  for (WrittenRule& rule : rules) rule.found_again = 0.75;
  const ColumnChoice columns{.repeated = true};
  const std::string json = io::rules_json(rules, columns);
  EXPECT_EQ(io::rules_json(io::parse_rules_json(json, "rules.json"), columns), json);
  const std::string csv = io::rules_csv(rules, columns);
  EXPECT_TRUE(csv.substr(0, csv.find('\n')).ends_with(",found_again,kind"));
  EXPECT_NE(csv.find(",0.75,"), std::string::npos);
  EXPECT_EQ(io::rules_csv(rules, {}).find("found_again"), std::string::npos);
  EXPECT_NE(io::rules_table(rules, 0, columns).find("found_again"), std::string::npos);
  for (const std::string to : {"\"found_again\": 1.5", "\"found_again\": null", "\"x\": 0.75"}) {
    std::string bad = json;  // the last is another key than the others have
    bad.replace(bad.find("\"found_again\": 0.75"), 19, to);
    EXPECT_THROW(io::parse_rules_json(bad, "x"), BadData) << to;
  }
}

}  // namespace atl::test
