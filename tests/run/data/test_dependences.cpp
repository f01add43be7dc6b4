#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/run/data/dependences.hpp"

namespace atl::test {
namespace {

using Lines = std::vector<std::string>;

Attribute flag(const std::string& name) {
  Attribute attribute;
  attribute.name = name;
  attribute.low = attribute.high = {0, 1};
  attribute.counts = {60, 40};
  attribute.exact_distinct = 2;
  return attribute;
}

std::vector<Attribute> flags(std::size_t count) {
  std::vector<Attribute> attributes;
  for (std::size_t a = 0; a < count; ++a) attributes.push_back(flag("x" + std::to_string(a)));
  return attributes;
}

Lines lines(const DependencesFound& found, std::span<const Attribute> attributes) {
  return dependence_lines({found, attributes.size()}, attributes);
}

TEST(DependenceLines, SayEachGroupInWords) {
  auto attributes = flags(8);
  attributes[7].counts = {100, 0};
  attributes[6].low = attributes[6].high = {};
  attributes[6].counts = {};
  DependencesFound found;
  EXPECT_TRUE(lines(found, attributes).empty());
  found.copies = {{0, 1}, {2, 3, 4}};
  found.one_hot = {{0, 2, 5}};
  found.sums = {{5, 1, 2}};
  found.constants = {7};
  EXPECT_EQ(
      lines(found, attributes),
      (Lines{"x0 and x1 tell each other", "x2, x3 and x4 tell each other",
             "x0, x2, x5: exactly one is 1 in every row", "x5 = x1 + x2", "x7 is constant (0)"}));
  found = {};
  found.constants = {6, 7};
  found.determinations = {{0, 1, 1000, 2}, {0, 2, 1000, 9}, {0, 5, 1000, 3},
                          {3, 4, 1000, 0}, {5, 0, 1000, 4}, {5, 1, 1000000, 3}};
  EXPECT_EQ(lines(found, attributes),
            (Lines{"x0 and x5 tell each other, but for 0.4% of the rows",
                   "x0 tells x1 and x2, but for at most 0.9% of the rows", "x3 tells x4",
                   "x5 tells x1, but for less than 0.01% of the rows",
                   "x6 (no value) and x7 (0) are constant"}));
}

TEST(DependenceLines, AreTenAtMost) {
  const auto attributes = flags(40);
  DependencesFound found;
  for (std::uint32_t a = 0; a + 1 < 26; a += 2) found.copies.push_back({a, a + 1});
  Lines said = lines(found, attributes);
  ASSERT_EQ(said.size(), 11U);
  EXPECT_EQ(said.back(), "and 3 more");
  found.copies.clear();
  for (std::uint32_t a = 1; a < 40; ++a) found.determinations.push_back({0, a, 100, 0});
  found.complete = false;
  said = lines(found, attributes);
  EXPECT_EQ(said, (Lines{"x0 tells x1, x2, x3, x4, x5, x6, x7 and 32 more",
                         "there are too many attributes to look at all pairs of them"}));
}

TEST(DependenceLines, AskOfTargetsWhetherTheyLeak) {
  auto attributes = flags(5);
  attributes[1].role = AttributeRole::target;
  Experiment experiment;
  EXPECT_EQ(target_attributes(experiment, attributes), (std::vector<std::uint32_t>{1}));
  experiment.islands = 1;
  experiment.aim.target = {"x3=*", "x0 = 1"};
  const auto targets = target_attributes(experiment, attributes);
  EXPECT_EQ(targets, (std::vector<std::uint32_t>{0, 1, 3}));
  experiment.aim = {};
  experiment.aim.consequent = {"x2"};
  EXPECT_EQ(target_attributes(experiment, attributes), (std::vector<std::uint32_t>{1, 2}));
  experiment.aim.consequent = {"x2", "x3"};
  EXPECT_EQ(target_attributes(experiment, attributes), (std::vector<std::uint32_t>{1}));

  DependencesFound found;
  found.sums = {{3, 2, 4}};
  found.determinations = {{2, 1, 100, 0}};
  EXPECT_EQ(leak_lines({found, 5}, attributes, targets, {}),
            (Lines{"leak? x2 tells x1, a target; --exclude leaves it out of rules",
                   "leak? x2 and x4 tell x3, a target; --exclude leaves them out of rules"}));
}

TEST(DependenceLines, AreInJsonByName) {
  const auto attributes = flags(6);
  DependencesFound found;
  found.copies = {{0, 1}};
  found.sums = {{5, 1, 2}};
  found.determinations = {{3, 4, 1000, 2}};
  const auto json = dependences_json({found, 6}, attributes);
  EXPECT_EQ(json.dump(),
            R"({"constants":[],"copies":[["x0","x1"]],"one_hot":[],"missing_together":[],)"
            R"("sums":[{"whole":"x5","parts":["x1","x2"]}],)"
            R"("determinations":[{"by":"x3","told":"x4","rows":1000,"exceptions":2}],)"
            R"("complete":true})");
}

}  // namespace
}  // namespace atl::test
