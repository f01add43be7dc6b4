#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "islands/archive_section.hpp"
#include "src/grammar/grammar_aim.hpp"
#include "src/results/choice/final_rules.hpp"
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
  FinalRules list(std::size_t questions = std::numeric_limits<std::size_t>::max()) {
    return final_rules(*archive_, experiment_, grammar_, *resident_, {*resident_, pool_}, {},
                       [&](const ListProgress&) { return questions-- > 0; });
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

TEST_F(FinalRulesTest, TheBestStandsFirstWithNoLessThanTheSearchFound) {
  const FinalRules made = list();
  ASSERT_FALSE(made.rules.empty());
  EXPECT_TRUE(made.complete);
  EXPECT_GT(made.refinement.rules, 0U);
  EXPECT_GE(leverage(made.rules[0]), archive_->best(Measure::leverage));
}

TEST_F(FinalRulesTest, VariantsStandBehindTheOthersEachBestFirst) {
  const std::vector<RuleRecord> rules = list().rules;
  EXPECT_LE(rules.size(), experiment_.top);
  const auto is_variant = [](const RuleRecord& r) { return r.kind == RuleKind::variant; };
  const auto first = std::find_if(rules.begin(), rules.end(), is_variant);
  ASSERT_NE(first, rules.end());
  EXPECT_TRUE(std::all_of(first, rules.end(), is_variant));
  const auto is_better = [](const RuleRecord& a, const RuleRecord& b) {
    return leverage(a) > leverage(b);
  };
  EXPECT_TRUE(std::is_sorted(rules.begin(), first, is_better));
  EXPECT_TRUE(std::is_sorted(first, rules.end(), is_better));
}

TEST_F(FinalRulesTest, WhatIsNotRefinedIsTakenAsFound) {
  const FinalRules whole = list();
  for (const std::size_t questions : {0U, 1U}) {
    const FinalRules cut = list(questions);
    EXPECT_FALSE(cut.complete) << questions;
    EXPECT_LT(cut.refinement.rules, whole.refinement.rules);
    EXPECT_GT(cut.rules.size(), experiment_.top / 2);
  }
}

TEST_F(FinalRulesTest, RulesThatAreAlikeAreCountedWhereRoomIsLeft) {
  experiment_.top = 500;
  experiment_.max_similarity = 0.2;
  const FinalRules made = list();
  ASSERT_LT(made.rules.size(), experiment_.top);
  EXPECT_GT(made.alike, 0U);
  experiment_.max_similarity = 1;
  EXPECT_EQ(list().alike, 0U);
}

}  // namespace atl::test
