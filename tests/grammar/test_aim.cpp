#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/core/error.hpp"
#include "src/grammar/aim.hpp"
#include "tests/rules/table.hpp"

namespace atl::test {
namespace {

const std::vector<Attribute> table = {
    numeric("age", {17, 25, 30, 41, 90}),          nominal("income", {"<=50K", ">50K"}),
    ordinal("size", {"small", "medium", "large"}), nominal("constant", {"x"}),
    binned("price", {1, 10, 100}, {9, 90, 900}),   nominal("a,b", {"*", "[1,2]"})};

using Ids = std::vector<std::uint32_t>;

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

std::string refusal(const Aim& aim) {
  return message_of([&] {
    aim.validate();
    bind_aim(aim, table);
  });
}

TEST(Targets, AreSplitAtCommasOutsideQuotesAndBrackets) {
  using List = std::vector<std::string>;
  EXPECT_EQ(split_targets("income=*"), List{"income=*"});
  EXPECT_EQ(split_targets("income=>50K,age in [17, 30],\"a,b\"=\"[1,2]\""),
            (List{"income=>50K", "age in [17, 30]", "\"a,b\"=\"[1,2]\""}));
  EXPECT_EQ(split_targets(R"("x\",y"=1,b=2)"), (List{R"("x\",y"=1)", "b=2"}));
  EXPECT_EQ(split_targets("\"age in [17, 30]\",income=*"), (List{"age in [17, 30]", "income=*"}));
  EXPECT_EQ(split_targets("quantile(age, 0.9)"), List{"quantile(age, 0.9)"});
  EXPECT_EQ(split_targets("low mean(a,b),income=*"), (List{"low mean(a,b)", "income=*"}));
  for (const char* text : {"", ",", "a=1,", "a=1, ,b=2", "\"\""})
    EXPECT_THROW(split_targets(text), UsageError) << text;
}

TEST(Aim, WithoutListsLimitsNothing) {
  EXPECT_TRUE(bind_aim({}, table).open());
}

TEST(Aim, NoneLimitsNoConsequentAndGoesWithNoTarget) {
  EXPECT_TRUE(bind_aim({{"none"}, {}, {}, {}, {}}, table).open());
  const BoundAim aim = bind_aim({{"none"}, {}, {}, {}, {"age"}}, table);
  EXPECT_EQ(aim.consequent, (Ids{1, 2, 3, 4, 5}));
  EXPECT_TRUE(aim.targets.empty() && aim.target_attributes.empty());
  EXPECT_EQ(bind_aim({{"none"}, {}, {"income"}, {}, {}}, table).consequent, (Ids{1}));
  EXPECT_EQ(refusal({{"none", "income=*"}, {}, {}, {}, {}}),
            "--target none goes with no other target");
  EXPECT_EQ(refusal({{"income=*", "none"}, {}, {}, {}, {}}),
            "--target none goes with no other target");
}

TEST(Aim, ListsLimitTheSides) {
  const BoundAim aim = bind_aim({{}, {"size", "age"}, {"income", "age"}, {"age"}, {}}, table);
  EXPECT_EQ(aim.antecedent, (Ids{0, 2}));
  EXPECT_EQ(aim.consequent, (Ids{0, 1}));
  EXPECT_EQ(aim.require, (Ids{0}));
  EXPECT_EQ(bind_aim({{}, {}, {}, {}, {"age", "a,b"}}, table).antecedent, (Ids{1, 2, 3, 4}));
}

TEST(Aim, WhatOneSideMustNameIsNotForTheOther) {
  EXPECT_EQ(bind_aim({{}, {}, {"income"}, {}, {}}, table).antecedent, (Ids{0, 2, 3, 4, 5}));
  EXPECT_EQ(bind_aim({{}, {"income"}, {}, {}, {}}, table).consequent, (Ids{0, 2, 3, 4, 5}));
  EXPECT_EQ(bind_aim({{}, {}, {"income", "constant"}, {}, {}}, table).antecedent,
            (Ids{0, 2, 3, 4, 5}));
}

TEST(Aim, TargetsAreComparisonsOrAnyOnAnAttribute) {
  const BoundAim aim = bind_aim(
      {{"age=*", "size = *", "income=>50K", "price >= 10", "\"a,b\"=\"*\""}, {}, {}, {}, {}},
      table);
  EXPECT_EQ(aim.target_attributes, (Ids{0, 2}));
  EXPECT_EQ(aim.targets,
            (std::vector<Comparison>{{1, 1, 1, false}, {4, 1, 2, false}, {5, 0, 0, false}}));
  EXPECT_EQ(aim.consequent, (Ids{0, 1, 2, 4, 5}));
  EXPECT_EQ(aim.antecedent.size(), table.size());
}

TEST(Aim, NamesAndValuesAreTheDatas) {
  EXPECT_EQ(refusal({{}, {"incme"}, {}, {}, {}}),
            "--antecedent: no attribute 'incme', did you mean 'income'?");
  EXPECT_EQ(refusal({{"agee=*"}, {}, {}, {}, {}}),
            "--target: no attribute 'agee', did you mean 'age'?");
  EXPECT_EQ(refusal({{"income=50K"}, {}, {}, {}, {}}),
            "--target 'income=50K': no value '50K', did you mean '>50K'?");
  EXPECT_EQ(refusal({{"income>50K"}, {}, {}, {}, {}}),
            "--target 'income>50K': found '>50K', expected = or !=, since 'income' is nominal");
  EXPECT_EQ(refusal({{"price>50"}, {}, {}, {}, {}}),
            "--target 'price>50': found '50', expected a number that does not divide the bin "
            "[10, 90]; --max-bins 'price=0' keeps every value");
  EXPECT_EQ(refusal({{"age"}, {}, {}, {}, {}}),
            "--target 'age': expected a comparison; 'age=*' is any on this attribute");
  EXPECT_EQ(refusal({{"average (age)"}, {}, {}, {}, {}}),
            "--target 'average (age)': no function 'average', expected mean(ATTRIBUTE) or "
            "quantile(ATTRIBUTE, SHARE)");
  EXPECT_EQ(refusal({{"age(x)"}, {}, {}, {}, {}}).find("no function"), std::string::npos);
  EXPECT_EQ(refusal({{"=*"}, {}, {}, {}, {}}),
            "--target '=*': found '=*', expected the name of an attribute");
  EXPECT_EQ(refusal({{"age=*=*"}, {}, {}, {}, {}}),
            "--target 'age=*=*': found '*=*', expected a number");
}

TEST(Aim, RefusesWhatNoRuleCanMeet) {
  EXPECT_EQ(refusal({{"income=*"}, {}, {"age"}, {}, {}}),
            "--target and --consequent both say what rules conclude; give one of them");
  EXPECT_EQ(refusal({{}, {}, {}, {"age"}, {"age"}}), "--require and --exclude both name 'age'");
  EXPECT_EQ(refusal({{}, {"age"}, {}, {}, {"age"}}), "--antecedent and --exclude both name 'age'");
  EXPECT_EQ(refusal({{}, {}, {"age"}, {}, {"age"}}), "--consequent and --exclude both name 'age'");
  EXPECT_EQ(refusal({{"age>25"}, {}, {}, {}, {"age"}}), "--target and --exclude both name 'age'");
  EXPECT_EQ(refusal({{}, {"age"}, {"age"}, {}, {}}),
            "--antecedent and --consequent leave both sides the same attribute, 'age'");
  EXPECT_EQ(refusal({{"age=*"}, {"age"}, {}, {}, {}}),
            "the aim leaves no attribute with two values for antecedents");
  EXPECT_EQ(refusal({{}, {}, {"constant"}, {}, {}}),
            "the aim leaves no attribute with two values for consequents");
  EXPECT_EQ(refusal({{}, {"age"}, {"size"}, {"income"}, {}}),
            "--require names 'income', which neither --antecedent nor --consequent allows");
  EXPECT_EQ(refusal({{"size=*"}, {"age"}, {}, {"income"}, {}}),
            "--require names 'income', which no side of a rule may name");
  EXPECT_EQ(refusal({{"constant=x"}, {}, {}, {}, {}}),
            "--target: 'constant' has fewer than two values, nothing can be said about it");
  EXPECT_EQ(refusal({{}, {}, {}, {"constant"}, {}}),
            "--require: 'constant' has fewer than two values, nothing can be said about it");
  EXPECT_EQ(refusal({{"age>=17"}, {}, {}, {}, {}}),
            "--target 'age>=17' holds on every row with a value");
  EXPECT_EQ(refusal({{}, {"age", "age"}, {}, {}, {}}), "--antecedent names 'age' twice");
  EXPECT_EQ(refusal({{}, {}, {}, {"a", "b", "c", "d", "e", "f", "g"}, {}}),
            "--require names 7 attributes, expected at most 6");
}

TEST(NumericTarget, IsReadWithItsSideAndName) {
  using Statistic = NumericTarget::Statistic;
  EXPECT_EQ(parse_numeric_target("mean(age)"), (NumericTarget{Statistic::mean, false, "age", 0}));
  EXPECT_EQ(parse_numeric_target(" high mean ( age ) "), parse_numeric_target("mean(age)"));
  EXPECT_EQ(parse_numeric_target("low mean(\"a,b (c)\")"),
            (NumericTarget{Statistic::mean, true, "a,b (c)", 0}));
  EXPECT_EQ(parse_numeric_target("mean(\"a\\\"b\\\\\\n\\u00a0\")"),
            (NumericTarget{Statistic::mean, false, "a\"b\\\n\xC2\xA0", 0}));
  EXPECT_EQ(parse_numeric_target("quantile(a, b, 90%)"),
            (NumericTarget{Statistic::quantile, false, "a, b", 0.9}));
  for (const char* text : {"mean = 3", "low = 3", "low > 3", "quantile=*", "meant(age)", "age=*",
                           "\"mean(age)\" = 3", ""})
    EXPECT_EQ(parse_numeric_target(text), std::nullopt) << text;
  for (const char* text :
       {"mean(age", "mean()", "mean(age) > 3", "quantile(age)", "quantile(age, 0)",
        "quantile(age, 1)", "quantile(age, nine)", "quantile(, 0.5)"})
    EXPECT_THROW(parse_numeric_target(text), UsageError) << text;
}

TEST(NumericTarget, IsOneComparisonOnTheData) {
  const BoundAim mean = bind_aim({{"mean(age)"}, {}, {}, {}, {}}, table);
  EXPECT_EQ(mean.targets, (std::vector<Comparison>{{0, 0, 4, false}}));
  EXPECT_EQ(mean.consequent, Ids{0});
  EXPECT_EQ(mean.antecedent, (Ids{1, 2, 3, 4, 5}));
  // Each of the five values is on ten rows.
  EXPECT_EQ(bind_aim({{"quantile(age, 0.6)"}, {}, {}, {}, {}}, table).targets,
            (std::vector<Comparison>{{0, 3, 4, false}}));
  EXPECT_EQ(bind_aim({{"low quantile(age, 0.5)"}, {}, {}, {}, {}}, table).targets,
            (std::vector<Comparison>{{0, 0, 1, false}}));
}

TEST(NumericTarget, RefusesWhatIsNoNumber) {
  EXPECT_EQ(refusal({{"mean(agee)"}, {}, {}, {}, {}}),
            "--target: no attribute 'agee', did you mean 'age'?");
  EXPECT_EQ(refusal({{"mean(income)"}, {}, {}, {}, {}}),
            "--target 'mean(income)': 'income' is nominal, expected a numeric attribute");
  EXPECT_EQ(refusal({{"quantile(age, 0.9)"}, {}, {}, {}, {}}),
            "--target 'quantile(age, 0.9)' is 90, the greatest value, and no row lies beyond it");
  EXPECT_EQ(refusal({{"low quantile(age, 0.1)"}, {}, {}, {}, {}}),
            "--target 'low quantile(age, 0.1)' is 17, the least value, and no row lies beyond it");
  EXPECT_EQ(refusal({{"mean(age)", "income=*"}, {}, {}, {}, {}}),
            "--target: a mean or a quantile goes with no other target");
  EXPECT_EQ(refusal({{"mean(age)"}, {"age"}, {}, {}, {}}),
            "'age' is the target, and so for no antecedent and not for --require");
  EXPECT_EQ(refusal({{"mean(age)"}, {}, {}, {}, {"age"}}),
            "--target and --exclude both name 'age'");
}

}  // namespace
}  // namespace atl::test
