#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/results/archive/archive.hpp"
#include "src/results/archive/steering.hpp"
#include "src/results/choice/chosen_rules.hpp"
#include "src/results/choice/redundancy.hpp"
#include "src/rules/rule_text.hpp"
#include "tests/islands/planted_table.hpp"

namespace atl::test {

namespace {

// 1,000 rows. x and z are numeric, 0 to 4 and 0 to 1, independent; y is 2 on 80 of 200 rows where
// x is 0, and 1 on another 80; elsewhere each on 20 of 200, and 0 on the rest; alike in either half
// of z. k is known on half of the rows, whatever the others are, and then 1 where y is 2, else 0. w
// is 1 on every fourth row of those with y = 2 where x > 0, and on every tenth otherwise.
Dataset table() {
  std::vector<std::vector<std::uint32_t>> columns(5);
  for (std::uint32_t x = 0; x < 5; ++x) {
    for (std::uint32_t i = 0; i < 200; ++i) {
      const std::uint32_t each = x == 0 ? 80 : 20;
      const std::uint32_t y = i < each ? 2 : i < 2 * each ? 1 : 0;
      columns[0].push_back(x);
      columns[1].push_back(i % 2);
      columns[2].push_back(y);
      columns[3].push_back(i / 2 % 2 == 0 ? missing_code : y / 2);
      columns[4].push_back(i % (y == 2 && x > 0 ? 4 : 10) == 0 ? 1 : 0);
    }
  }
  return numeric_table({"x", "z", "y", "k", "w"}, columns);
}

class Confounded : public testing::Test {
 protected:
  RuleRecord record(const std::string& text) {
    RuleRecord made;
    made.rule = parse_rule(text, dataset_.attributes(), "test");
    made.table = resident_->count(std::vector<Rule>{made.rule}, options_)[0].table;
    return made;
  }
  bool by(const std::string& better, const std::string& rule) {
    return confounded(record(rule), std::vector<RuleRecord>{record(better)});
  }

  bool confounded(const RuleRecord& rule, std::span<const RuleRecord> better) {
    CountedRules counted(*resident_, options_);
    return confounder(rule, better, counted) != nullptr;
  }

  const Dataset dataset_ = table();
  const std::shared_ptr<Resident> resident_ = make_reference_device()->load(dataset_);
  CountingOptions options_;
};

}  // namespace

TEST_F(Confounded, OneThatHasOnlySomeOfTheRowsOrOthersBesides) {
  EXPECT_TRUE(by("x = 0 => y = 2", "x = 0 AND z = 1 => y = 2"));
  EXPECT_TRUE(by("x = 0 => y = 2", "x <= 2 => y = 2"));
  EXPECT_TRUE(by("x = 0 => y = 2", "x <= 2 AND z = 0 => y > 0"));
  EXPECT_TRUE(by("x <= 1 => y = 2", "x <= 2 => y = 2"));
  EXPECT_FALSE(by("x <= 1 => y = 2", "x = 0 => y = 2"));
  EXPECT_FALSE(by("x <= 3 => y = 2", "x = 0 => y = 2"));
}

TEST_F(Confounded, TheComplementOfABetterOne) {
  EXPECT_TRUE(by("x = 0 => y > 0", "x in [1, 2] => y = 0"));
  EXPECT_TRUE(by("x = 0 => y > 0", "x > 1 AND z = 1 => y = 0"));
  EXPECT_TRUE(by("x = 0 => y > 0", "x > 0 => y = 0"));
}

TEST_F(Confounded, NotWhatElseIsSaidOfTheSameRows) {
  EXPECT_FALSE(by("x = 0 => y = 2", "x = 0 => y = 1"));
  EXPECT_FALSE(by("x = 0 => y = 2", "x = 0 => k = 1"));
  EXPECT_FALSE(by("x = 0 => y = 2", "w = 1 AND x > 0 => y = 2"));
  EXPECT_FALSE(by("w = 1 AND x > 0 => y = 2", "x = 0 => y = 2"));
}

TEST_F(Confounded, OnlyByOneOfThoseGiven) {
  const std::vector<RuleRecord> better = {record("x = 0 => k = 1"), record("x = 0 => y = 2")};
  EXPECT_TRUE(confounded(record("x <= 1 => y = 2"), better));
  EXPECT_FALSE(confounded(record("x <= 1 => y = 2"), std::span(better).first(1)));
  EXPECT_FALSE(confounded(record("x <= 1 => y = 2"), {}));
  CountedRules counted(*resident_, options_);
  EXPECT_EQ(confounder(record("x <= 1 => y = 2"), better, counted), &better[1]);
}

TEST_F(Confounded, RowsWithoutAValueDoNotCountWhereTheyAreLeftOut) {
  EXPECT_TRUE(by("x = 0 => k = 1", "x <= 2 => k = 1"));
  options_.exclude_missing_consequent = true;
  EXPECT_TRUE(by("x = 0 => k = 1", "x <= 2 => k = 1"));
  EXPECT_FALSE(by("x <= 2 => k = 1", "x = 0 => k = 1"));
}

TEST_F(Confounded, NeverWithoutLeverage) {
  EXPECT_FALSE(by("x = 0 => y = 2", "x > 0 => y = 2"));
}

// That x0 in [12, 19] AND c4 = l2 => c5 = l1 is all that the table has.
TEST(ChosenRules, ByContrastNoneIsExplainedByABetterOne) {
  const Dataset dataset = planted_table(20000);
  Experiment experiment = small_experiment("niching");
  experiment.maximize = {"contrast"};
  experiment.archive_by = "contrast";
  const std::vector<std::string> texts = {
      "x0 in [12, 19] AND c4 = l2 => c5 = l1", "x0 in [12, 19] AND c4 = l2 AND c6 = l0 => c5 = l1",
      "c4 = l2 => c5 = l1", "x0 in [12, 19] => c5 = l1", "x0 in [12, 19] AND c4 = l2 => c6 = l0"};
  const auto resident = make_reference_device()->load(dataset);
  ThreadPool pool(1);
  const BoundGrammar grammar = association_grammar(dataset);
  const auto written = [&] {
    Archive archive(steering_measure(experiment.archive_by, experiment), 9);
    for (const std::string& text : texts) {
      RuleRecord record;
      record.rule = parse_rule(text, dataset.attributes(), "test");
      record.table = resident->count(std::vector<Rule>{record.rule}, {})[0].table;
      // What their generalisations are said to be puts them in this order.
      record.table.n_general_antecedent = dataset.rows();
      record.table.n_general_both = record.table.n_consequent;
      archive.offer(record, niche(record, dataset.attributes()));
    }
    std::vector<std::string> rules;
    const ChosenRules chosen = choose_rules(archive, experiment, grammar, *resident, pool);
    for (const RuleRecord& r : std::span(chosen.rules).first(chosen.lines)) {
      rules.push_back(to_text(r.rule, dataset.attributes()));
    }
    return rules;
  };
  EXPECT_EQ(written(), (std::vector<std::string>{texts.front(), texts.back()}));
  experiment.max_similarity = 1;
  EXPECT_EQ(written().size(), texts.size());
}

}  // namespace atl::test
