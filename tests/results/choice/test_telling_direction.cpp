#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/eval/counting_options.hpp"
#include "src/results/archive/archive.hpp"
#include "src/results/choice/chosen_rules.hpp"
#include "src/results/choice/telling_direction.hpp"
#include "src/rules/rule_text.hpp"
#include "tests/islands/planted_table.hpp"

namespace atl::test {

namespace {

// 1,000 rows. Of 100 with a = 1 all but 3 have b = 1, of the other 900 another 200; c is missing on
// half of the rows.
Dataset lopsided_table() {
  std::vector<std::vector<std::uint32_t>> columns(3);
  for (std::uint32_t row = 0; row < 1000; ++row) {
    columns[0].push_back(row < 100 ? 1 : 0);
    columns[1].push_back(row < 97 || row >= 800 ? 1 : 0);
    columns[2].push_back(row % 2 == 0 ? missing_code : row / 2 % 2);
  }
  return numeric_table({"a", "b", "c"}, columns);
}

class TellingDirectionTest : public testing::Test {
 protected:
  RuleRecord record(const std::string& text) {
    CountedRules counted(*resident_, counting_options(experiment_, dataset_.attributes()));
    RuleRecord made;
    made.rule = parse_rule(text, dataset_.attributes(), "test");
    made.table = counted.count(std::vector{made.rule})[0].table;
    made.generation = 7;
    return made;
  }

  std::string turned(const std::string& text) {
    CountedRules counted(*resident_, counting_options(experiment_, dataset_.attributes()));
    TellingDirection direction(experiment_, grammar_, counted, none_);
    const RuleRecord given = record(text);
    const auto made = direction.turned({given});
    const bool stays = made[0].rule == given.rule;
    EXPECT_EQ(made[0].table.n_antecedent,
              stays ? given.table.n_antecedent : given.table.n_consequent);
    EXPECT_EQ(made[0].table.n_both, given.table.n_both);
    EXPECT_EQ(made[0].generation, 7U);
    EXPECT_EQ(direction.turned(made)[0].rule, made[0].rule);
    return to_text(made[0].rule, dataset_.attributes());
  }

  Experiment experiment_ = small_experiment("niching");
  Dataset dataset_ = lopsided_table();
  std::shared_ptr<Resident> resident_ = make_reference_device()->load(dataset_);
  BoundGrammar grammar_ = association_grammar(dataset_);
  Definitions none_;
};

}  // namespace

TEST_F(TellingDirectionTest, OfEqualMeasureTheMoreConfidentDirectionStands) {
  for (const char* const measure : {"leverage", "lift", "cosine"}) {
    experiment_.archive_by = measure;
    EXPECT_EQ(turned("b = 1 => a = 1"), "a = 1 => b = 1") << measure;
    EXPECT_EQ(turned("a = 1 => b = 1"), "a = 1 => b = 1") << measure;
  }
}

TEST_F(TellingDirectionTest, TheMeasureGoesBeforeConfidence) {
  experiment_.archive_by = "rhs_support";
  EXPECT_EQ(turned("a = 1 => b = 1"), "a = 1 => b = 1");
  experiment_.archive_by = "coverage";
  EXPECT_EQ(turned("a = 1 => b = 1"), "b = 1 => a = 1");
}

TEST_F(TellingDirectionTest, WhatIsNoRuleOfTheGrammarOrMissesALimitIsNotTurned) {
  EXPECT_EQ(turned("b = 1 AND c = 0 => a = 1"), "b = 1 AND c = 0 => a = 1");
  experiment_.archive_by = "coverage";
  experiment_.min_confidence = 0.9;
  EXPECT_EQ(turned("a = 1 => b = 1"), "a = 1 => b = 1");
}

TEST_F(TellingDirectionTest, RowsWithoutAConsequentAreCountedAnew) {
  experiment_.missing_consequent = MissingConsequent::exclude;
  CountedRules counted(*resident_, counting_options(experiment_, dataset_.attributes()));
  TellingDirection direction(experiment_, grammar_, counted, none_);
  const RuleRecord given = record("b = 1 => c = 1");
  const auto turned = direction.turned({record("c = 1 => b = 1")});
  for (const RuleRecord& made : turned) {
    const auto count = counted.count(std::vector{made.rule})[0];
    EXPECT_EQ(made.table, count.table);
    EXPECT_EQ(made.missing_consequent, count.missing_consequent);
  }
  EXPECT_EQ(given.table.n, 500U);
}

// Either or both may have been found.
TEST_F(TellingDirectionTest, OneDirectionIsALineAndNoVariant) {
  experiment_.max_similarity = 1;
  ThreadPool pool(1);
  const std::vector<std::vector<std::string>> finds = {
      {"b = 1 => a = 1"}, {"a = 1 => b = 1", "b = 1 => a = 1"}, {"a = 1 => b = 1"}};
  for (const auto& found : finds) {
    Archive archive(Measure::leverage, 9);
    for (const std::string& text : found) {
      const RuleRecord made = record(text);
      archive.offer(made, niche(made, dataset_.attributes()));
    }
    const auto goes_on = [](const ChoiceProgress&) { return true; };
    for (const ChosenRules& list : {choose_rules(archive, experiment_, grammar_, *resident_, pool),
                                    choose_rules(archive, experiment_, grammar_, *resident_,
                                                 {*resident_, pool}, {}, goes_on)}) {
      ASSERT_EQ(list.rules.size(), 1U);
      EXPECT_EQ(to_text(list.rules[0].rule, dataset_.attributes()), "a = 1 => b = 1");
    }
  }
}

}  // namespace atl::test
