#include <gtest/gtest.h>

#include "src/results/choice/redundancy.hpp"

namespace atl::test {
namespace {

// 0 and 1 are copies; 2 tells 3; 4, 5, 6 and 7 are one-hot; 8 = 9 + 10; 11 is a class, which 12
// tells; 13 is by itself, but for its missing values, which are those of 2.
Dependences some_dependences() {
  DependencesFound found;
  found.copies = {{0, 1}};
  found.one_hot = {{4, 5, 6, 7}};
  found.sums = {{8, 9, 10}};
  found.determinations = {{2, 3, 1000, 2}, {12, 11, 1000, 0}};
  found.missing_together = {{2, 13}};
  return {found, 14};
}

constexpr std::uint32_t class_attribute = 11;

Definitions definitions(DefinitionChoice choice = DefinitionChoice::apart) {
  return {some_dependences(), choice, std::vector{class_attribute}};
}

/// With 20 values, some of them missing.
std::vector<Attribute> missing_attributes() {
  Attribute one;
  for (int value = 0; value < 20; ++value) one.low.push_back(value);
  one.high = one.low;
  one.has_missing = true;
  return std::vector<Attribute>(14, one);
}

Comparison equal(std::uint32_t attribute, std::uint32_t code) {
  return {attribute, code, code, false};
}

Rule rule(const std::vector<Comparison>& antecedent, const std::vector<Comparison>& consequent) {
  return {Expression::conjunction(antecedent), Expression::conjunction(consequent)};
}

bool is_definition(const std::vector<Comparison>& antecedent,
                   const std::vector<Comparison>& consequent) {
  return definitions().is_definition(rule(antecedent, consequent), missing_attributes());
}

TEST(Definitions, MissingValuesTellOfThoseThatAreMissingTogether) {
  EXPECT_TRUE(is_definition({is_missing(2)}, {equal(13, 1)}));
  EXPECT_TRUE(is_definition({is_known(2, 20), equal(7, 1)}, {equal(13, 1)}));
  EXPECT_FALSE(is_definition({is_known(2, 20)}, {equal(3, 1)})) << "its value would tell";
  EXPECT_FALSE(is_definition({equal(2, 1)}, {equal(13, 1)}));
}

TEST(Definitions, SayWhatTheirAttributesDependOn) {
  EXPECT_TRUE(is_definition({equal(0, 1)}, {equal(1, 1)}));
  EXPECT_TRUE(is_definition({equal(2, 5)}, {equal(3, 0)}));
  EXPECT_FALSE(is_definition({equal(3, 0)}, {equal(2, 5)})) << "told, not telling";
  EXPECT_TRUE(is_definition({{9, 5, 9, false}}, {{8, 5, 9, false}}));
  EXPECT_FALSE(is_definition({{9, 5, 9, false}}, {{10, 5, 9, false}}));
  EXPECT_FALSE(is_definition({equal(13, 1)}, {equal(3, 0)}));
}

TEST(Definitions, MayHavePartsThatSayNothing) {
  EXPECT_TRUE(is_definition({equal(0, 1), equal(13, 1)}, {equal(1, 1)}));
  EXPECT_FALSE(is_definition({equal(0, 1)}, {equal(1, 1), equal(13, 1)})) << "a part is news";
  EXPECT_TRUE(is_definition({equal(0, 1), equal(2, 1)}, {equal(1, 1), equal(3, 1)}));
}

TEST(Definitions, OfOneHotGroupsLeaveNothingOpen) {
  EXPECT_TRUE(is_definition({equal(4, 0), equal(5, 0), equal(7, 0)}, {equal(6, 1)}));
  EXPECT_TRUE(is_definition({equal(4, 0), equal(13, 0), equal(5, 0), equal(7, 0)}, {equal(6, 1)}));
  EXPECT_TRUE(is_definition({equal(4, 0)}, {equal(6, 1)})) << "names nothing else";
  EXPECT_TRUE(is_definition({equal(4, 1), equal(13, 2)}, {equal(6, 0)}));
  EXPECT_TRUE(is_definition({{4, 0, 0, true}, equal(13, 2)}, {equal(6, 0)}));
  EXPECT_FALSE(is_definition({equal(4, 0), equal(13, 2)}, {equal(6, 1)}));
  EXPECT_FALSE(is_definition({equal(4, 1)}, {equal(13, 2)}));
}

TEST(Definitions, WithOrNeedItInEveryPart) {
  const auto either = [](const Comparison& a, const Comparison& b) {
    return Rule{Expression(Ops{Op::comparison, Op::comparison, Op::disjunction}, Comparisons{a, b}),
                Expression::of(equal(1, 1))};
  };
  const Definitions all = definitions();
  EXPECT_TRUE(all.is_definition(either(equal(0, 1), equal(0, 2)), missing_attributes()));
  EXPECT_FALSE(all.is_definition(either(equal(0, 1), equal(13, 2)), missing_attributes()));
}

// A leak is said, and the rules stay.
TEST(Definitions, NeverConcludeATarget) {
  EXPECT_FALSE(is_definition({equal(12, 1)}, {equal(class_attribute, 1)}));
  EXPECT_TRUE(definitions().telling(class_attribute).empty());
  const Definitions of_all{some_dependences(), DefinitionChoice::apart, {}};
  EXPECT_TRUE(of_all.is_definition(rule({equal(12, 1)}, {equal(class_attribute, 1)}),
                                   missing_attributes()));
  EXPECT_EQ(of_all.telling(class_attribute), (AttributeGroup{12}));
}

TEST(Definitions, StayInTheListIfTheyAreToBeThere) {
  const Rule one = rule({equal(0, 1)}, {equal(1, 1)});
  EXPECT_TRUE(definitions().keeps_apart(one, missing_attributes()));
  EXPECT_EQ(definitions().telling(8), (AttributeGroup{9, 10}));
  EXPECT_EQ(definitions().telling(4), (AttributeGroup{5, 6, 7}));
  EXPECT_TRUE(definitions().telling(13).empty());
  const Definitions included = definitions(DefinitionChoice::include);
  EXPECT_TRUE(included.is_definition(one, missing_attributes()));
  EXPECT_FALSE(included.keeps_apart(one, missing_attributes()));
  EXPECT_TRUE(included.telling(8).empty());
  EXPECT_FALSE(Definitions().is_definition(one, missing_attributes()));
}

}  // namespace
}  // namespace atl::test
