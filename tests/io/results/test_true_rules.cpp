#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "io/results/true_rules.hpp"
#include "io/transactions/itemset_rule_writer.hpp"
#include "src/core/error.hpp"
#include "tests/io/temporary_folder.hpp"

namespace atl::io::test {

namespace {

using atl::test::spill;

class TrueRulesFile : public testing::Test {
 protected:
  TrueRules read(const std::string& content, std::size_t most = 100) {
    const std::string path = folder_ / "rules";
    spill(path, content);
    return read_true_rules(TextInput(path, folder_.path(), {}, TextContent::table_or_json),
                           Measure::leverage, most);
  }

  atl::test::TemporaryFolder folder_;
};

constexpr const char* header =
    "antecedent,consequent,items,n,n_antecedent,n_consequent,n_both,support\n";

}  // namespace

TEST_F(TrueRulesFile, AreReadAsItemsetsWriteThem) {
  const std::vector<std::string> names = {"bread", "\"red wine\"", "=1+1", "'-x"};
  std::string text;
  ItemsetRuleWriter writer(names, {Measure::lift}, [&](std::string_view piece) { text += piece; });
  const std::vector<std::uint32_t> antecedent = {1, 0}, consequent = {2}, other = {3};
  writer.write({antecedent, consequent, {8, 4, 2, 1}});
  writer.write({other, antecedent, {8, 4, 8, 4}});
  writer.finish();
  const TrueRules rules = read(text);
  ASSERT_EQ(rules.rules.size(), 2U);
  EXPECT_EQ(rules.rules[0].antecedent, "\"red wine\" AND bread");
  EXPECT_EQ(rules.rules[0].consequent, "=1+1");
  EXPECT_EQ(rules.rules[0].table, (ContingencyTable{8, 4, 2, 1}));
  EXPECT_EQ(rules.rules[0].place, "line 2");
  EXPECT_EQ(rules.rules[1].antecedent, "'-x");
  EXPECT_FALSE(rules.fingerprint);
  EXPECT_FALSE(rules.best_by);
}

TEST_F(TrueRulesFile, TheBestStayInTheOrderOfTheFile) {
  const std::string text = std::string(header) +
                           "a,b,2,8,4,4,2,0\n"   // leverage 0
                           "a,c,2,8,4,4,4,0\n"   // 1/4
                           "b,c,2,8,4,4,3,0\n"   // 1/8
                           "c,d,2,8,4,4,3,0\n"   // 1/8, later
                           "d,e,2,8,2,2,2,0\n";  // 3/16
  const TrueRules rules = read(text, 3);
  EXPECT_EQ(rules.all, 5U);
  ASSERT_EQ(rules.rules.size(), 3U);
  EXPECT_EQ(rules.rules[0].consequent, "c");
  EXPECT_EQ(rules.rules[1].antecedent, "b");
  EXPECT_EQ(rules.rules[2].antecedent, "d");
}

TEST_F(TrueRulesFile, OfEnumerateTellOfWhichDataTheyAre) {
  const TrueRules rules = read(R"({"method": "exact", "fingerprint": "ab", "rules": [{"id": 1,
    "rule": "a = x => b = y",
    "antecedent": [{"attribute": "a", "relation": "=", "values": ["x"]}],
    "consequent": [{"attribute": "b", "relation": "=", "values": ["y"]}],
    "counts": {"n": 8, "antecedent": 4, "consequent": 4, "both": 3, "missing_consequent": 0},
    "generation": 0, "island": 0, "equivalents": []}]})");
  ASSERT_EQ(rules.rules.size(), 1U);
  EXPECT_EQ(rules.rules[0].table, (ContingencyTable{8, 4, 4, 3}));
  EXPECT_EQ(rules.rules[0].place, "rule 1");
  EXPECT_EQ(rules.fingerprint, "ab");
  EXPECT_EQ(rules.best_by, Measure::leverage);
}

TEST_F(TrueRulesFile, WhatIsWrongIsToldWithItsPlace) {
  const auto place = [&](const std::string& row) {
    try {
      read(std::string(header) + "a,b,2,8,4,4,2,0\n" + row + "\n");
    } catch (const BadCell& error) {
      return std::to_string(error.line) + ":" + std::to_string(error.column);
    }
    return std::string("none");
  };
  EXPECT_EQ(place("a,b,2,8,4,4,2,0"), "none");
  EXPECT_EQ(place("a,b,2,eight,4,4,2,0"), "3:4");
  EXPECT_EQ(place("a,b,2,8,-4,4,2,0"), "3:5");
  EXPECT_EQ(place("a,b,2,8,4,99999999999,2,0"), "3:6");
  EXPECT_EQ(place("a,b,2,8,4,4,,0"), "3:7");
  EXPECT_EQ(place("a,b,2,8,4,4,5,0"), "3:7");
  EXPECT_EQ(place("a,b,2,8,7,7,2,0"), "3:7");  // 5 + 5 + 2 are more than 8
  for (const char* text : {"1 2 (3)\n", "name,of\nx,y\n", "{", "{\"method\": 3}",
                           "{\"method\": \"beam\"}", "{\"method\": \"exact\", \"rules\": [3]}"}) {
    EXPECT_THROW(read(text), BadData) << text;
  }
}

TEST(FoundKind, IsToldByTheBeginning) {
  EXPECT_EQ(found_kind("{\n \"method\": \"beam\",\n \"top\": 100,\n"), FoundKind::enumerated_rules);
  EXPECT_EQ(found_kind(std::string(header)), FoundKind::itemset_rules);
  EXPECT_EQ(found_kind("3 (4)\n1 2 (3)\n17 (2"), FoundKind::itemsets);
  EXPECT_EQ(found_kind("milk (4)\nbread (3)\nbread milk (3)\n"), FoundKind::itemsets);
  EXPECT_EQ(found_kind("1 (2)"), FoundKind::itemsets);
  for (const char* text : {"3 (1.000000000)\n1 2 (0.500000000)\n17 (0.2",
                           "milk (0.400000000)\nmilk tea (0.300000000)\n",
                           "items,length,probability,expected_support,variance,transactions\n",
                           "[\n{\"items\": [\"milk\"], \"probab"}) {
    EXPECT_EQ(found_kind(text), FoundKind::uncertain_itemsets) << text;
  }
  for (const char* text :
       {"", "\n", "{}", "a,b\n1,2\n", "1 2 3\n", "item\n1 (2)\n", "Heat (1995)\nCasino (1995)\n",
        "milk (3)\nmilk bread (4)\n", "(3)\n", "1 (x)\n", "1 (0.5)\n", "1 (2.000000000)\n",
        "1 (0.500000000)\n2 (3)\n", "milk (0.400000000)\n", "1 (-0.50000000)\n", "items,length\n",
        "[\n]\n", "antecedent,consequent,items\n"}) {
    EXPECT_EQ(found_kind(text), std::nullopt) << text;
  }
}

}  // namespace atl::io::test
