#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/eval/device.hpp"
#include "src/results/compare/truth.hpp"
#include "src/rules/rule_text.hpp"
#include "tests/rules/table.hpp"
#include "tests/support/default_experiment.hpp"

namespace atl::test {

namespace {

// b is a but for one row of eight; c says nothing; d is a copy of a.
class Truth : public testing::Test {
 protected:
  Truth() {
    experiment_.min_support = SupportThreshold::parse("1rows");
    experiment_.grammar = Grammar::builtin("association");
    experiment_.max_similarity = 1;
    experiment_.bounds = Bounds::binned;
  }

  std::vector<RuleRecord> records(const std::vector<std::string>& texts) {
    std::vector<Rule> rules;
    for (const std::string& text : texts) rules.push_back(parse_rule(text, attributes_, "rule"));
    const auto counts = resident_->count(rules, {});
    std::vector<RuleRecord> records;
    for (std::size_t i = 0; i < rules.size(); ++i) {
      RuleRecord& record = records.emplace_back();
      record.rule = rules[i];
      record.table = counts[i].table;
    }
    return records;
  }

  std::vector<TrueRule> judge(const std::vector<std::string>& truth,
                              const std::vector<std::string>& written) {
    const std::vector<RuleRecord> list = records(written);
    const RunReach reach(experiment_, attributes_);
    const Definitions none;
    return judge_true_rules(records(truth), {experiment_, list, reach, none, Measure::leverage},
                            *resident_);
  }

  /// Of one true rule.
  std::string fate(const std::string& truth, const std::vector<std::string>& written) {
    const TrueRule rule = judge({truth}, written).front();
    return std::string(to_string(rule.fate)) + (rule.limit.empty() ? "" : " ") +
           std::string(rule.limit);
  }

  const Dataset dataset_ = make_dataset({nominal("a", {"n", "y"}), nominal("b", {"n", "y"}),
                                         nominal("c", {"n", "y"}), nominal("d", {"n", "y"})},
                                        {{0, 0, 0, 0, 1, 1, 1, 1},
                                         {0, 0, 0, 1, 1, 1, 1, 1},
                                         {0, 1, 0, 1, 0, 1, 0, 1},
                                         {0, 0, 0, 0, 1, 1, 1, 1}});
  const std::vector<Attribute> attributes_{dataset_.attributes().begin(),
                                           dataset_.attributes().end()};
  const std::shared_ptr<Resident> resident_ = make_reference_device()->load(dataset_);
  Experiment experiment_ = default_experiment("niching");
};

}  // namespace

TEST_F(Truth, RulesAreFoundAsTheyAreAsOthersOfTheirRowsOrReversed) {
  EXPECT_EQ(fate("a = y => b = y", {"c = y => b = y", "a = y => b = y"}), "found");
  EXPECT_EQ(fate("a = y => b = y", {"d = y => b = y"}), "equivalent");
  EXPECT_EQ(fate("a = y => b = y", {"b = y => d = y"}), "equivalent");
  EXPECT_EQ(fate("a = y => b = y", {"a = n => b = n"}), "missed");
}

TEST_F(Truth, WhatTheRunMayNotWriteIsNotMissed) {
  EXPECT_EQ(fate("a = y AND c = y => b = y", {}), "redundant");
  EXPECT_EQ(fate("c = n AND b = y => a = y", {}), "missed");
  experiment_.max_length = 2;
  EXPECT_EQ(fate("c = n AND b = y => a = y", {}), "out_of_run max_length");
  experiment_.aim.target = {"b=*"};
  EXPECT_EQ(fate("b = y => a = y", {}), "out_of_run aim");
  EXPECT_EQ(fate("a = y => b = y", {}), "missed");
  experiment_.min_support = SupportThreshold::parse("5rows");
  experiment_.aim = {};
  EXPECT_EQ(fate("b = y => a = y", {}), "out_of_run min_support");
  experiment_.min_support = SupportThreshold::parse("1rows");
  EXPECT_EQ(fate("c = y => a = y", {}), "out_of_run lift");
  experiment_.min_confidence = 0.9;
  EXPECT_EQ(fate("b = y => a = y", {}), "out_of_run min_confidence");
}

TEST_F(Truth, ExactBoundsLeaveIdlePartsOut) {
  EXPECT_EQ(fate("c = n AND b = y => a = y", {"b = y => a = y"}), "missed");
  experiment_.bounds = Bounds::exact;
  EXPECT_EQ(fate("c = n AND b = y => a = y", {"b = y => a = y"}), "idle");
}

TEST_F(Truth, LikeABetterRuleOfTheList) {
  experiment_.max_similarity = 0.3;
  EXPECT_EQ(fate("c = n AND b = y => a = y", {"b = y => a = y"}), "alike");
  experiment_.max_similarity = 0.9;
  EXPECT_EQ(fate("c = n AND b = y => a = y", {"b = y => a = y"}), "missed");
}

TEST_F(Truth, OfTheMissedTheBestMoreGeneralRuleOrTheMostSimilarIsTold) {
  TrueRule rule = judge({"c = n AND b = y => a = y"}, {"c = y => b = y", "b = y => a = y"})[0];
  EXPECT_EQ(rule.written, 1U);
  EXPECT_TRUE(rule.more_general);
  rule = judge({"a = y => b = y"}, {"a = n => b = n", "c = y => b = y"})[0];
  EXPECT_EQ(rule.written, 1U);
  EXPECT_FALSE(rule.more_general);
  EXPECT_FALSE(judge({"a = y => b = y"}, {})[0].written);
}

TEST_F(Truth, PlacesLeaveOutWhatIsRepeated) {
  const auto rules =
      judge({"a = y => b = y", "b = y => d = y", "a = y => d = y"}, {"a = y => d = y"});
  ASSERT_EQ(rules.size(), 3U);
  EXPECT_EQ(to_text(rules[0].rule, attributes_), "a = y => d = y");  // leverage 1/4
  EXPECT_EQ(rules[0].place, 1U);
  EXPECT_EQ(rules[1].place, 2U);
  EXPECT_EQ(rules[2].place, 0U);  // the reversal of the one before
  EXPECT_EQ(rules[2].fate, Fate::redundant);

  const Recall all = recall_of(rules, 2);
  EXPECT_EQ(all.rules, 2U);
  EXPECT_EQ(all.found(), 1U);
  EXPECT_EQ(all.share(), 0.5);
  EXPECT_EQ(all.share_of_value(), 0.25 / (0.25 + 12.0 / 64));  // 4/8 - 4/8 5/8 = 3/16
  EXPECT_EQ(recall_of(rules, 1).share(), 1);
  EXPECT_TRUE(std::isnan(recall_of(rules, 0).share()));
}

TEST_F(Truth, AFullListHasNoRoomForWorseRules) {
  experiment_.top = 1;
  EXPECT_EQ(fate("c = n AND b = y => a = y", {"a = y => d = y"}), "off_list");
  experiment_.top = 2;
  EXPECT_EQ(fate("c = n AND b = y => a = y", {"a = y => d = y"}), "missed");
}

}  // namespace atl::test
