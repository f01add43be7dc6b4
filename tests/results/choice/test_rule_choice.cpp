#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/eval/counting_options.hpp"
#include "src/eval/device.hpp"
#include "src/results/choice/rule_choice.hpp"
#include "tests/islands/planted_table.hpp"

namespace atl::test {

namespace {

class ListChoiceTest : public testing::Test {
 protected:
  ListChoiceTest() {
    experiment_.max_similarity = 0.7;
    experiment_.aim.target = {"c5=l1"};
  }

  // That c5 is l1 where x0 lies between two codes.
  RuleRecord record(std::uint32_t low, std::uint32_t high) const {
    RuleRecord made;
    made.rule = {Expression::of({0, low, high}), Expression::of({5, 1, 1})};
    made.table = resident_->count(std::vector{made.rule}, counted_.options())[0].table;
    return made;
  }

  static std::vector<std::uint32_t> highs(const std::vector<RuleRecord>& records) {
    std::vector<std::uint32_t> all;
    for (const RuleRecord& r : records) all.push_back(r.rule.antecedent.comparisons()[0].high);
    return all;
  }

  Experiment experiment_ = small_experiment("niching");
  Dataset dataset_ = planted_table(4000);
  std::shared_ptr<Resident> resident_ = make_reference_device()->load(dataset_);
  Definitions none_;
  CountedRules counted_{*resident_, counting_options(experiment_, dataset_.attributes())};
  RuleChoice choice_{experiment_, counted_, none_};
};

}  // namespace

TEST_F(ListChoiceTest, WhatIsAlikeIsLeftOutUnlessItStays) {
  // The planted codes are 12 to 19: the fewer of them, the worse.
  const std::vector<RuleRecord> records = {record(12, 19), record(12, 18), record(12, 17),
                                           record(30, 39), record(12, 15)};
  EXPECT_EQ(highs(choice_.choose(records, {}, 20).rules), (std::vector<std::uint32_t>{19, 15, 39}));
  EXPECT_EQ(highs(choice_.choose(records, {}, 2).rules), (std::vector<std::uint32_t>{19, 15}));
  EXPECT_EQ(highs(choice_.choose(records, {records[1].rule}, 20).rules),
            (std::vector<std::uint32_t>{18, 15, 39}));
}

TEST_F(ListChoiceTest, TheNextOnesAreUnlikeThoseChosenAndEachOther) {
  const std::vector<RuleRecord> records = {record(12, 19), record(12, 18), record(12, 15),
                                           record(30, 39), record(29, 39)};
  using Positions = std::vector<std::size_t>;
  const std::vector<bool> none(records.size(), false);
  EXPECT_EQ(choice_.next(records, none, {}, 9), (Positions{0, 2, 3}));
  EXPECT_EQ(choice_.next(records, none, {}, 2), (Positions{0, 2}));
  EXPECT_EQ(choice_.next(records, none, std::vector{records[0]}, 9), (Positions{2, 3}));
  EXPECT_EQ(choice_.next(records, {true, false, false, true, false}, {}, 9), (Positions{1, 2, 4}));
}

}  // namespace atl::test
