#include <optional>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/core/error.hpp"
#include "src/grammar/grammar.hpp"
#include "src/grammar/grammar_aim.hpp"
#include "src/rules/class_target.hpp"
#include "src/rules/rule_text.hpp"
#include "tests/rules/table.hpp"

namespace atl::test {
namespace {

Attribute as_labels(Attribute attribute) {
  attribute.as_labels = true;
  return attribute;
}

const std::vector<Attribute> coded = {
    numeric("age", {17, 25, 30}), nominal("income", {"<=50K", ">50K"}),
    ordinal("size", {"small", "medium", "large"}), as_labels(numeric("class", {1, 2, 3}))};

TEST(AnyValueOf, IsTheAttributeOfATargetWithAStar) {
  EXPECT_EQ(any_value_of("income=*"), "income");
  EXPECT_EQ(any_value_of(" income = * "), "income");
  EXPECT_EQ(any_value_of("\"a=*, b\"=*"), "a=*, b");
  for (const char* text : {"income", "income=>50K", "a=\"*\"", "a=*=*", "a>*", "=*", "in=*", "",
                           "none", "mean(age)", "\"a=*"})
    EXPECT_EQ(any_value_of(text), std::nullopt) << text;
}

TEST(ConcludesClasses, WhereAllTargetsAreLabelsOfAnAttribute) {
  const auto with = [](std::vector<std::string> targets) {
    Aim aim;
    aim.target = std::move(targets);
    return concludes_classes(aim, coded);
  };
  EXPECT_TRUE(with({"income=*"}));
  EXPECT_TRUE(with({"class=*"})) << "numbers that are taken as labels";
  EXPECT_TRUE(with({"income=*", "class=*"}));
  EXPECT_FALSE(with({"age=*"})) << "bounds, too";
  EXPECT_FALSE(with({"size=*"})) << "bounds, too";
  EXPECT_FALSE(with({"income=*", "age > 17"}));
  EXPECT_FALSE(with({"income=>50K"}));
  EXPECT_FALSE(with({"absent=*"}));
  EXPECT_FALSE(with({"none"}));
  EXPECT_FALSE(with({}));
}

TEST(NumbersTakenAsLabels, AreConcludedOneByOne) {
  BoundAim aim;
  aim.antecedent = {0, 1, 2};
  aim.consequent = aim.target_attributes = {3};
  const BoundGrammar grammar(Grammar::parse(Grammar::builtin("association"), "association"), coded,
                             4, aim);
  std::set<std::string> concluded;
  for (std::uint32_t slot = 0; slot < 300; ++slot) {
    RandomStream stream({3, 0, 0, slot, Purpose::test});
    concluded.insert(to_text(grammar.rule(grammar.derive(stream)).consequent, coded));
  }
  EXPECT_EQ(concluded, (std::set<std::string>{"class = 1", "class = 2", "class = 3"}));
}

TEST(NumbersTakenAsLabels, AreNotBounded) {
  EXPECT_NO_THROW(parse_comparison("class = 2", coded, "test"));
  try {
    parse_comparison("class > 2", coded, "test");
    FAIL();
  } catch (const BadCell& error) {
    EXPECT_EQ(error.expected, "= or !=, since 'class' is taken as labels");
  }
}

}  // namespace
}  // namespace atl::test
