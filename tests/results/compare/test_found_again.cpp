#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/results/compare/found_again.hpp"
#include "tests/islands/planted_table.hpp"

namespace atl::test {

namespace {

// x and y are equal, 0 to 99; z counts the other way.
class FoundAgain : public testing::Test {
 protected:
  FoundAgain() {
    std::vector<std::vector<std::uint32_t>> columns(3);
    for (std::uint32_t row = 0; row < 100; ++row) {
      columns[0].push_back(row);
      columns[1].push_back(row);
      columns[2].push_back(99 - row);
    }
    dataset_ = std::make_unique<Dataset>(numeric_table({"x", "y", "z"}, columns));
    resident_ = make_reference_device()->load(*dataset_);
  }

  using Texts = std::vector<std::string>;
  static std::vector<WrittenRule> list(const Texts& texts) {
    std::vector<WrittenRule> rules;
    for (const std::string& text : texts) rules.emplace_back().text = text;
    return rules;
  }

  std::vector<double> shares(const Texts& own,
                             const std::vector<std::vector<WrittenRule>>& others) {
    auto rules = list(own);
    find_again(rules, others, *resident_);
    std::vector<double> all;
    for (const WrittenRule& rule : rules) all.push_back(rule.found_again.value());
    return all;
  }

  std::unique_ptr<Dataset> dataset_;
  std::shared_ptr<Resident> resident_;
};

}  // namespace

TEST_F(FoundAgain, TheShareOfTheListsThatHaveTheRuleOrOneOnNearlyTheSameRows) {
  // 10 rows: of 8 or 12 others the Jaccard index is 0.8 and 0.83, of 7 it is 0.7.
  const std::string rule = "x <= 9 => y <= 49";
  EXPECT_EQ(shares({rule}, {list({rule}), list({"x <= 7 => y <= 49"}), list({"z > 90 => y <= 49"}),
                            list({"x <= 11 => y <= 49"})}),
            std::vector<double>{1});
  EXPECT_EQ(shares({rule}, {list({"x <= 6 => y <= 49"}), list({"x > 9 => y <= 49"}), list({}),
                            list({"x <= 9 => y <= 69", "x <= 5 => y <= 49", rule})}),
            std::vector<double>{0.25});
  EXPECT_EQ(shares({rule, "y <= 49 => x <= 9", "z > 89 => x <= 45"}, {list({rule}), list({})}),
            (std::vector<double>{0.5, 0, 0.5}));
}

TEST_F(FoundAgain, WhatAnotherRunHasAsItWasFoundCounts) {
  auto other = list({"x <= 50 => y <= 49"});
  other[0].as_found = list({"x <= 9 AND z > 0 => y <= 49"});
  EXPECT_EQ(shares({"x <= 9 => y <= 49"}, {other}), std::vector<double>{1});
}

}  // namespace atl::test
