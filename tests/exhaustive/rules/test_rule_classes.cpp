#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/exhaustive/rules/row_sets.hpp"
#include "src/exhaustive/rules/rule_classes.hpp"
#include "src/rules/rule_text.hpp"
#include "tests/exhaustive/rules/small_table.hpp"

namespace atl::test {

namespace {

// a0 and a2 are alike but for one row; a1 splits them; a3 is a0.
class RuleClassesOfATable : public testing::Test {
 protected:
  CountedRule counted(const std::vector<Item>& antecedent, Item consequent) const {
    CountedRule result;
    AlignedWords rows(items_.words());
    std::copy_n(items_.covered(antecedent[0]), items_.words(), rows.data());
    for (const Item item : antecedent) {
      result.rule.items[result.rule.size++] = item;
      result.n_antecedent = static_cast<std::uint32_t>(
          intersect(rows.data(), items_.covered(item), items_.words(), rows.data()));
    }
    result.rule.consequent = consequent;
    result.n_both = static_cast<std::uint32_t>(
        count_common(rows.data(), items_.covered(consequent), items_.words()));
    result.coverage = hash_rows(rows.data(), items_.words());
    return result;
  }

  std::vector<std::string> best(std::size_t k) const {
    std::vector<std::string> lines;
    for (const RuleRecord& record : classes_.best(k)) {
      lines.push_back(to_text(record.rule, dataset_.attributes()));
    }
    return lines;
  }

  // Items 0 and 1 are a0's labels, 2 and 3 a1's, 4 and 5 a2's, 6 and 7 a3's.
  const Dataset dataset_ = table_of_labels({{0, 0, 0, 0, 1, 1, 1, 1},
                                            {0, 0, 1, 1, 0, 0, 1, 1},
                                            {0, 0, 0, 1, 1, 1, 1, 1},
                                            {0, 0, 0, 0, 1, 1, 1, 1}});
  const Items items_{dataset_};
  RuleClasses classes_{items_};
};

}  // namespace

TEST_F(RuleClassesOfATable, EqualCoverageCountsOnceUnderTheFirst) {
  classes_.add({counted({6}, 4), counted({0}, 4)});
  EXPECT_EQ(best(9), std::vector<std::string>{"a0 = l0 => a2 = l0"});
}

TEST_F(RuleClassesOfATable, DirectionsCountOnce) {
  classes_.add({counted({4}, 0), counted({0}, 4)});
  EXPECT_EQ(best(9), std::vector<std::string>{"a0 = l0 => a2 = l0"});
}

TEST_F(RuleClassesOfATable, ALongerRuleThatIsNoBetterIsDropped) {
  classes_.add({counted({0}, 5), counted({4}, 0)});
  classes_.add({counted({2, 4}, 0)});  // of confidence 1 as well, and less leverage
  EXPECT_EQ(best(9), (std::vector<std::string>{"a2 = l0 => a0 = l0"}));
}

TEST_F(RuleClassesOfATable, ALongerRuleOfHigherConfidenceStays) {
  classes_.add({counted({0}, 4)});
  classes_.add({counted({0, 2}, 4)});
  EXPECT_EQ(best(9),
            (std::vector<std::string>{"a0 = l0 => a2 = l0", "a0 = l0 AND a1 = l0 => a2 = l0"}));
  EXPECT_EQ(best(1), (std::vector<std::string>{"a0 = l0 => a2 = l0"}));
}

TEST_F(RuleClassesOfATable, ThresholdIsTheLeverageOfTheKth) {
  classes_.add({counted({0}, 4), counted({1}, 5)});
  EXPECT_EQ(classes_.threshold(1), 3 * 8 - 4 * 3);
  EXPECT_EQ(classes_.threshold(2), 4 * 8 - 4 * 5);
  EXPECT_EQ(classes_.threshold(3), 1);
  EXPECT_EQ(best(1).size(), 2U);  // 12 / 64 both
}

}  // namespace atl::test
