#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "islands/archive_section.hpp"
#include "src/grammar/grammar_aim.hpp"
#include "src/results/choice/chosen_rules.hpp"
#include "tests/islands/archipelago/rule_archipelago.hpp"
#include "tests/islands/planted_table.hpp"

namespace atl::test {

namespace {

// A search for what concludes c5 = l1.
class FinalRulesTest : public testing::Test {
 protected:
  FinalRulesTest() {
    experiment_.aim.target = {"c5 = l1"};
    LocalCommunicator communicator;
    RuleArchipelago archipelago(experiment_, grammar_, *resident_, pool_, communicator);
    archipelago.advance(0);
    while (archipelago.generation() < 12) {
      archipelago.advance(12);
    }
    archive_.emplace(archive_of(*archipelago.whole_state(), dataset_.attributes()));
  }

  static BoundAim aim() {
    BoundAim aim;
    aim.antecedent = {0, 1, 2, 3, 4, 6, 7};
    aim.consequent = {5};
    aim.targets = {{5, 1, 1}};
    return aim;
  }

  /// @param questions  after so many it is not to go on
  ChosenRules list(std::size_t questions = std::numeric_limits<std::size_t>::max()) {
    return choose_rules(*archive_, experiment_, grammar_, *resident_, {*resident_, pool_}, {},
                        [&](const ChoiceProgress&) { return questions-- > 0; });
  }

  std::vector<bool> rows_of(const Rule& rule) const {
    std::vector<bool> rows(dataset_.rows());
    for (std::uint64_t row = 0; row < rows.size(); ++row) {
      rows[row] = true;
      for (const Comparison& c : rule.antecedent.comparisons()) {
        if (!takes(c, dataset_.code(row, c.attribute))) rows[row] = false;
      }
    }
    return rows;
  }

  double alike(const Rule& a, const Rule& b) const {
    const std::vector<bool> of_a = rows_of(a), of_b = rows_of(b);
    double both = 0, any = 0;
    for (std::size_t row = 0; row < of_a.size(); ++row) {
      both += of_a[row] && of_b[row] ? 1 : 0;
      any += of_a[row] || of_b[row] ? 1 : 0;
    }
    return both / any;
  }

  static double leverage(const RuleRecord& record) {
    return evaluate(Measure::leverage, record.table);
  }

  ThreadPool pool_{1};
  Experiment experiment_ = small_experiment("niching");
  Dataset dataset_ = planted_table(3000);
  std::shared_ptr<Resident> resident_ = make_cpu_device(pool_)->load(dataset_);
  BoundGrammar grammar_{Grammar::parse(Grammar::builtin("association"), "association"),
                        dataset_.attributes(), 5, aim()};
  std::optional<Archive> archive_;
};

}  // namespace

TEST_F(FinalRulesTest, TheFirstLineHasNearlyAllThatTheBestFindHas) {
  const ChosenRules made = list();
  ASSERT_GT(made.lines, 0U);
  EXPECT_TRUE(made.complete);
  EXPECT_GT(made.refinement.rules, 0U);
  const RuleRecord& best = made.as_found ? *made.as_found : made.rules[0];
  EXPECT_GE(leverage(best), archive_->best(Measure::leverage));
  EXPECT_GE(leverage(made.rules[0]), 0.99 * leverage(best));
  experiment_.order = ListOrder::measure;
  const ChosenRules by_measure = list();
  EXPECT_GE(leverage(by_measure.rules[0]), 0.999 * leverage(best));
}

TEST_F(FinalRulesTest, NoLineIsAVariantOfOneBeforeIt) {
  for (const ListOrder order : {ListOrder::news, ListOrder::measure}) {
    experiment_.order = order;
    const ChosenRules made = list();
    ASSERT_EQ(made.notes.size(), made.rules.size());
    EXPECT_LE(made.lines, experiment_.top);
    EXPECT_GT(made.variants, 0U);
    for (std::size_t i = 0; i < made.rules.size(); ++i) {
      const bool is_variant = i >= made.lines && i < made.lines + made.variants;
      EXPECT_EQ(made.rules[i].kind == RuleKind::variant, is_variant) << i;
      EXPECT_EQ(made.notes[i].variant_of.has_value(), is_variant) << i;
    }
    for (std::size_t i = 0; i < made.lines; ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        EXPECT_LE(alike(made.rules[i].rule, made.rules[k].rule), 0.5) << i << ' ' << k;
      }
    }
  }
}

TEST_F(FinalRulesTest, AListByNewsSaysWhatEachRuleAdds) {
  const ChosenRules made = list();
  std::vector<bool> covered(dataset_.rows(), false);
  for (std::size_t i = 0; i < made.lines; ++i) {
    const std::vector<bool> rows = rows_of(made.rules[i].rule);
    std::uint64_t fresh = 0;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      fresh += rows[row] && !covered[row] ? 1 : 0;
      covered[row] = covered[row] || rows[row];
    }
    EXPECT_EQ(made.notes[i].new_rows, fresh) << i;
  }
  experiment_.order = ListOrder::measure;
  const ChosenRules by_measure = list();
  EXPECT_FALSE(by_measure.notes[0].new_rows);
  const auto end = by_measure.rules.begin() + static_cast<std::ptrdiff_t>(by_measure.lines);
  EXPECT_TRUE(std::is_sorted(
      by_measure.rules.begin() + 1, end,
      [](const RuleRecord& a, const RuleRecord& b) { return leverage(a) > leverage(b); }));
}

TEST_F(FinalRulesTest, FourTimesAsManyLinesAreThereToBeTested) {
  experiment_.top = 5;
  const std::size_t few = list().lines;
  experiment_.holdout.share = 0.3;
  experiment_.significance = 0.05;
  const std::size_t more = list().lines;
  EXPECT_EQ(few, 5U);
  EXPECT_GT(more, few);
  EXPECT_LE(more, 20U);
}

TEST_F(FinalRulesTest, WhatIsNotRefinedIsTakenAsFound) {
  const ChosenRules whole = list();
  for (const std::size_t questions : {0U, 1U}) {
    const ChosenRules cut = list(questions);
    EXPECT_FALSE(cut.complete) << questions;
    EXPECT_LT(cut.refinement.rules, whole.refinement.rules);
    EXPECT_GT(cut.rules.size(), experiment_.top / 2);
  }
}

TEST_F(FinalRulesTest, RulesThatAreAlikeAreCountedWhereRoomIsLeft) {
  experiment_.top = 500;
  experiment_.max_similarity = 0.2;
  const ChosenRules made = list();
  ASSERT_LT(made.lines, experiment_.top);
  EXPECT_GT(made.alike, 0U);
  experiment_.max_similarity = 1;
  EXPECT_EQ(list().alike, 0U);
}

}  // namespace atl::test
