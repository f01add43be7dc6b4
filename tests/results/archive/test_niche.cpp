#include <vector>

#include <gtest/gtest.h>

#include "src/results/archive/archive.hpp"
#include "src/rules/rule_text.hpp"
#include "tests/islands/planted_table.hpp"

namespace atl::test {

namespace {

Niche niche_of(const std::string& text, const Dataset& dataset, std::uint32_t bucket = 0) {
  RuleRecord record;
  record.rule = parse_rule(text, dataset.attributes(), "test");
  record.bucket = bucket;
  return niche(record, dataset.attributes());
}

}  // namespace

TEST(Niche, IsTheSameForOtherBoundsNearby) {
  const Dataset dataset = planted_table(200);
  const auto of = [&](const std::string& text) { return niche_of(text, dataset).structure; };
  const auto expected = of("x0 > 3 AND c4 = l1 => x1 <= 7");
  EXPECT_EQ(of("x0 in [20, 23] AND c4 = l1 => x1 <= 5"), expected);
  EXPECT_NE(of("x0 in [5, 9] AND c4 = l1 => x1 <= 7"), expected);
  EXPECT_NE(of("x0 > 3 AND c4 = l1 => x1 > 20"), expected);
  EXPECT_NE(of("x0 > 3 AND c4 = l2 => x1 <= 7"), expected);
  EXPECT_NE(of("x0 > 3 AND c4 != l1 => x1 <= 7"), expected);
  EXPECT_NE(of("x0 > 3 AND c4 = l1 => x2 <= 7"), expected);
  EXPECT_NE(of("x0 > 3 => x1 <= 7 AND c4 = l1"), expected);
  EXPECT_NE(of("x1 > 3 AND c4 = l1 => x0 <= 7"), expected);
  EXPECT_NE(of("x0 > 3 OR c4 = l1 => x1 <= 7"), expected);
}

TEST(Niche, PassesOverComparisonsOfNearlyAllCodes) {
  const Dataset dataset = planted_table(200);
  const auto of = [&](const std::string& text) { return niche_of(text, dataset).structure; };
  EXPECT_EQ(of("x0 > 3 AND x2 > 1 => x1 <= 7"), of("x0 > 3 => x1 <= 7"));
  EXPECT_NE(of("x0 > 3 AND x2 > 2 => x1 <= 7"), of("x0 > 3 => x1 <= 7"));
  EXPECT_NE(of("x0 > 3 OR x2 > 1 => x1 <= 7"), of("x0 > 3 => x1 <= 7"));
}

TEST(Niche, TellsConsequentsApartByAttributesAndLabels) {
  const Dataset dataset = planted_table(200);
  const auto of = [&](const std::string& text) { return niche_of(text, dataset).consequent; };
  EXPECT_EQ(of("x0 > 3 => x1 <= 7"), of("c4 = l1 AND x0 <= 9 => x1 > 20"));
  EXPECT_NE(of("x0 > 3 => x1 <= 7"), of("x0 > 3 => x2 <= 7"));
  EXPECT_EQ(of("x0 > 3 => c4 = l1"), of("x1 > 5 => c4 = l1"));
  EXPECT_NE(of("x0 > 3 => c4 = l1"), of("x0 > 3 => c4 = l2"));
  EXPECT_EQ(of("x0 > 3 => x1 <= 7"), of("x0 > 3 => x1 <= 7 AND x2 > 1"));
  EXPECT_NE(of("x0 > 3 => x1 <= 7"), of("x0 > 3 => x1 <= 7 AND x2 > 2"));
}

TEST(Niche, TellsNeighbourhoodsOfAConsequentApart) {
  const Dataset dataset = planted_table(200);
  const auto of = [&](const std::string& text, std::uint32_t bucket) {
    return niche_of(text, dataset, bucket);
  };
  const Niche one = of("x0 > 3 => c4 = l1", 5);
  EXPECT_EQ(of("x1 > 9 => c4 = l1", 5).bucket, one.bucket);
  EXPECT_NE(of("x1 > 9 => c4 = l1", 6).bucket, one.bucket);
  EXPECT_NE(of("x1 > 9 => c4 = l2", 5).bucket, one.bucket);
  EXPECT_NE(of("x0 > 3 => c4 = l1", 6).structure, one.structure);
}

TEST(Niche, TellsNumbersTakenAsLabelsApart) {
  const Dataset dataset = numeric_table({"x", "class"}, {{0, 1, 2, 3}, {0, 1, 2, 2}});
  std::vector<Attribute> attributes(dataset.attributes().begin(), dataset.attributes().end());
  const auto of = [&](const std::string& text) {
    RuleRecord record;
    record.rule = parse_rule(text, attributes, "test");
    return niche(record, attributes).consequent;
  };
  EXPECT_EQ(of("x > 1 => class = 1"), of("x > 1 => class = 2"));
  attributes[1].as_labels = true;
  EXPECT_EQ(of("x > 1 => class = 1"), of("x <= 2 => class = 1"));
  EXPECT_NE(of("x > 1 => class = 1"), of("x > 1 => class = 2"));
}

}  // namespace atl::test
