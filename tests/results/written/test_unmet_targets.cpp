#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/results/written/unmet_targets.hpp"
#include "tests/rules/table.hpp"
#include "tests/support/default_experiment.hpp"

namespace atl::test {

namespace {

using Texts = std::vector<std::string>;

/// x, and a class of four labels on 6000, 3900, 90 and 2 of 10,000 rows; eight have none.
class UnmetTargets : public testing::Test {
 protected:
  UnmetTargets() { experiment_.aim.target = {"class=*"}; }

  static TargetRows class_of(std::uint32_t code, std::uint64_t rows) {
    return {{1, code, code, false}, rows, 10'000};
  }
  static RuleRecord rule_on(std::uint32_t code) {
    RuleRecord record;
    record.rule = {Expression::of({0, 0, code, false}), Expression::of({1, code, code, false})};
    return record;
  }
  static HeldOut test_of(double p) {
    HeldOut test;
    test.p_holm = p;
    return test;
  }
  Texts excluded() const { return excluded_targets(experiment_, attributes_, targets_); }
  Texts unmet(const std::vector<RuleRecord>& found, const std::vector<RuleRecord>& chosen,
              const std::vector<HeldOut>& tests = {}) const {
    return unmet_targets(experiment_, attributes_, targets_, found, chosen, tests);
  }

  std::vector<Attribute> attributes_ = {numeric("x", {1, 2, 3, 4, 5}),
                                        with_missing(nominal("class", {"a", "b", "c", "d"}))};
  Experiment experiment_ = default_experiment("niching");
  std::vector<TargetRows> targets_ = {class_of(0, 6000), class_of(1, 3900), class_of(2, 90),
                                      class_of(3, 2)};
};

}  // namespace

TEST_F(UnmetTargets, AreExcludedByLimitsThatAreNamed) {
  EXPECT_EQ(excluded(), Texts{"no rule concludes class = d: too few rows, fewer than 3"});
  experiment_.set("max_consequent", 0.5);
  EXPECT_EQ(excluded(),
            (Texts{"no rule concludes class = a: on 60% of the rows, more than --max-consequent "
                   "0.5 allows",
                   "no rule concludes class = d: too few rows, fewer than 3"}));
  const Experiment g3parm = default_experiment("g3parm");
  experiment_.algorithm = g3parm.algorithm;
  experiment_.settings = g3parm.settings;
  EXPECT_EQ(excluded().size(), 1U) << "it has no such limit";
}

TEST_F(UnmetTargets, OneByOneAskForTheSupportOfAll) {
  experiment_.aim.target = {"class=c", "class=d"};
  targets_.erase(targets_.begin(), targets_.begin() + 2);
  EXPECT_EQ(excluded(), Texts{"no rule concludes class = d: on fewer rows than the 10 that "
                              "--min-support 0.001 asks for"});
  experiment_.min_support = SupportThreshold::parse("100rows");
  EXPECT_EQ(excluded(), Texts{"no rule concludes class = c, class = d: on fewer rows than the 100 "
                              "that --min-support 100rows asks for"});
}

TEST_F(UnmetTargets, OfNoRowsOrOfAllAreToldToo) {
  targets_ = {class_of(0, 10'000), class_of(1, 0)};
  EXPECT_EQ(excluded(), (Texts{"no rule concludes class = a: all rows have it",
                               "no rule concludes class = b: none of the rows searched has it"}));
}

TEST_F(UnmetTargets, AreToldAtOnceWhereNoRuleCanMeetALimit) {
  EXPECT_EQ(unmeetable_limit(experiment_, attributes_, targets_), "") << "one may be concluded";
  experiment_.aim.target = {"class=c"};
  experiment_.min_support = SupportThreshold::parse("100rows");
  EXPECT_EQ(
      unmeetable_limit(experiment_, attributes_, std::vector{class_of(2, 90)}),
      "no rule concludes class = c: on fewer rows than the 100 that --min-support 100rows asks "
      "for; the greatest support of one: 90 of 10000 rows");
  experiment_.aim.target.clear();
  EXPECT_EQ(unmeetable_limit(experiment_, attributes_, {}), "") << "of rows it is not known";
  experiment_.min_support = SupportThreshold::parse("95%");
  EXPECT_EQ(unmeetable_limit(experiment_, attributes_, {}),
            "--min-support 0.95 is more than any rule can have: --max-consequent 0.9 allows no "
            "consequent on more rows");
}

TEST_F(UnmetTargets, AreNamedWithTheReasonThatIsKnown) {
  EXPECT_EQ(unmet({rule_on(0)}, {rule_on(0)}),
            (Texts{"no rule concludes class = b, class = c: none was found that meets the limits",
                   "no rule concludes class = d: too few rows, fewer than 3"}));
  targets_.pop_back();
  EXPECT_EQ(unmet({rule_on(0), rule_on(1), rule_on(2)}, {rule_on(2), rule_on(1), rule_on(0)}),
            Texts());
}

TEST_F(UnmetTargets, AreAllNamedUnlessThereAreVeryMany) {
  const auto line_of = [&](std::uint32_t classes) {
    std::vector<std::string> labels;
    targets_.clear();
    for (std::uint32_t code = 0; code < classes; ++code) {
      labels.push_back(std::to_string(code));
      targets_.push_back(class_of(code, 2));
    }
    attributes_[1] = nominal("class", labels);
    const Texts lines = excluded();
    return lines.size() == 1 ? lines[0] : std::string();
  };
  EXPECT_NE(line_of(40).find(", class = 39: too few rows"), std::string::npos);
  EXPECT_NE(line_of(41).find(", class = 7 and 33 more: too few rows"), std::string::npos);
}

TEST_F(UnmetTargets, MayHaveLostTheirRulesOnTheWay) {
  targets_.pop_back();
  const std::vector<RuleRecord> found = {rule_on(0), rule_on(1), rule_on(2)};
  EXPECT_EQ(unmet(found, {rule_on(0), rule_on(1)}),
            Texts{"no rule concludes class = c: those found made way for better rules "
                  "(--max-similarity, --top)"});
  experiment_.top = 2;
  EXPECT_EQ(unmet(found, {rule_on(0), rule_on(1)}),
            Texts{"no rule concludes class = c: rules on others take all 2 places (--top)"});
  const std::vector<HeldOut> tests = {test_of(0.01), test_of(0.2), test_of(0.06)};
  EXPECT_EQ(unmet(found, found, tests), Texts()) << "all are written";
  experiment_.significance = 0.05;
  EXPECT_EQ(unmet(found, found, tests),
            Texts{"no rule concludes class = b, class = c: none of the rules found is significant "
                  "on the rows held out"});
}

TEST_F(UnmetTargets, AreCountedOnTheRowsSearched) {
  std::vector<std::vector<std::uint32_t>> columns(2);
  for (std::uint32_t row = 0; row < 100; ++row) {
    columns[0].push_back(row % 5);
    columns[1].push_back(row < 2 ? missing_code : row % 3);
  }
  const Dataset data = make_dataset(attributes_, columns);
  const auto resident = make_reference_device()->load(data);
  const auto counted = [&] { return count_targets(experiment_, data.attributes(), *resident); };
  auto targets = counted();
  ASSERT_EQ(targets.size(), 4U);
  for (std::uint32_t code = 0; code < 4; ++code) {
    EXPECT_EQ(targets[code].target, (Comparison{1, code, code, false}));
    EXPECT_EQ(targets[code].rows, (std::vector<std::uint64_t>{33, 32, 33, 0})[code]);
    EXPECT_EQ(targets[code].of, 100U);
  }
  experiment_.missing_consequent = MissingConsequent::exclude;
  EXPECT_EQ(counted()[0].of, 98U);
  experiment_.aim.target = {"x > 2", "class = b"};
  targets = counted();
  ASSERT_EQ(targets.size(), 2U);
  EXPECT_EQ(targets[0].rows, 60U);
  for (const char* none : {"x=*", "mean(x)", "none"}) {
    experiment_.aim.target = {none};
    EXPECT_TRUE(counted().empty()) << none;
  }
}

}  // namespace atl::test
