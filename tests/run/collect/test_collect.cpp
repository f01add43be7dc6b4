#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include "io/results/run_comparison.hpp"
#include "src/core/error.hpp"
#include "src/results/compare/merge.hpp"
#include "tests/support/default_experiment.hpp"

namespace atl::test {
namespace {

MinedRun run(const std::string& name, std::uint64_t seed, std::uint32_t islands) {
  MinedRun run;
  run.path = "/runs/" + name;
  run.name = name;
  run.experiment = default_experiment("niching");
  run.experiment.seed = seed;
  run.experiment.islands = islands;
  run.state = "finished";
  return run;
}

std::vector<Attribute> attributes() {
  std::vector<Attribute> all(3);
  for (Attribute& attribute : all) {
    attribute.kind = AttributeKind::nominal;
    attribute.labels = {"p", "q", "r"};
    attribute.counts = {40, 30, 30};
  }
  return all;
}

RuleRecord record(std::uint32_t code, std::uint64_t both, std::uint32_t generation,
                  std::uint32_t island) {
  RuleRecord record;
  record.rule = {Expression::of({0, code, code, false}), Expression::of({1, 0, 0, false})};
  record.table = {100, 40, 40, both};
  record.generation = generation;
  record.island = island;
  return record;
}

TEST(Collect, JointSettingsAreMetByTheRulesOfAllRuns) {
  std::vector<MinedRun> runs = {run("a", 1, 4), run("b", 2, 2)};
  Experiment& a = runs[0].experiment;
  Experiment& b = runs[1].experiment;
  a.min_support = SupportThreshold::parse("1%");
  b.min_support = SupportThreshold::parse("5rows");
  a.min_confidence = 0.5;
  b.min_confidence = 0.2;
  b.set("max_consequent", 0.95);
  b.max_length = 9;
  a.top = 7;
  b.top = 50;
  EXPECT_EQ(joint_experiment(runs, 1000).min_support, b.min_support);
  EXPECT_EQ(joint_experiment(runs, 100).min_support, a.min_support);
  const Experiment joint = joint_experiment(runs, 1000);
  EXPECT_EQ(joint.seed, 1U);
  EXPECT_EQ(joint.min_confidence, 0.2);
  EXPECT_EQ(joint.max_consequent(), 0.95);
  EXPECT_EQ(joint.max_length, 9U);
  EXPECT_EQ(joint.top, 50U);
  EXPECT_EQ(joint.algorithm->name, "niching");
  a.bounds = Bounds::binned;
  EXPECT_EQ(joint_experiment(runs, 1000).bounds, Bounds::exact);
  b.bounds = Bounds::binned;
  EXPECT_EQ(joint_experiment(runs, 1000).bounds, Bounds::binned);
  b = default_experiment("g3parm");
  EXPECT_EQ(joint_experiment(runs, 1000).algorithm->name, "g3parm");
  EXPECT_EQ(joint_experiment(runs, 1000).max_consequent(), 1);
}

TEST(Collect, TheEarliestFindStaysAndIslandsAreNumberedInARow) {
  const auto columns = attributes();
  std::vector<MinedRun> runs = {run("a", 1, 4), run("b", 2, 2), run("c", 3, 1)};
  runs[0].archive = {record(0, 30, 7, 3), record(1, 25, 5, 1)};
  runs[1].archive = {record(0, 30, 5, 1), record(1, 25, 5, 0)};
  runs[2].archive = {record(2, 20, 1, 0)};
  EXPECT_EQ(origins_of(runs).first_island, (std::vector<std::uint32_t>{0, 4, 6}));
  const auto rules = joint_archive(runs, runs[0].experiment, columns).rules();
  ASSERT_EQ(rules.size(), 3U);
  EXPECT_EQ(rules[0].generation, 5U);
  EXPECT_EQ(rules[0].island, 4U + 1U);
  EXPECT_EQ(rules[1].island, 1U);  // of finds of one generation that of the first run
  EXPECT_EQ(rules[2].island, 6U);
}

TEST(Collect, TheComparisonIsReadBack) {
  std::vector<MinedRun> runs = {run("a b", 1, 4), run("c", 2, 4)};
  runs[0].rules = 12;
  runs[0].collected = 3;
  runs[0].generation = 100;
  runs[0].seconds = 1.25;
  runs[0].best = {{"lift", std::numeric_limits<double>::infinity()},
                  {"leverage", std::numeric_limits<double>::quiet_NaN()}};
  runs[1].best = {{"leverage", 0.125}};
  EXPECT_EQ(differing_settings(runs), std::vector<std::string>{"seed"});
  const std::string json = comparison_json(runs);
  const auto back = parse_comparison(json, "runs.json", algorithms());
  ASSERT_EQ(back.size(), 2U);
  EXPECT_EQ(back[0].experiment, runs[0].experiment);
  EXPECT_EQ(back[0].rules, 12U);
  EXPECT_FALSE(back[1].rules);
  EXPECT_EQ(comparison_json(back), json);
  EXPECT_EQ(comparison_text(runs, "csv"),
            "run,seed,state,generation,seconds,rules,collected,best_leverage,"
            "best_certainty_factor\n"
            "\"a b\",1,finished,100,1.25,12,3,,\nc,2,finished,0,0,,0,0.125,\n");
  for (const char* text : {"", "[]", "{}", "[7]", "[{\"run\": \"a\"}]"}) {
    EXPECT_THROW(parse_comparison(text, "runs.json", algorithms()), BadData) << text;
  }
}

}  // namespace
}  // namespace atl::test
