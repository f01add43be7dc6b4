#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/core/error.hpp"
#include "src/grammar/grammar.hpp"
#include "src/run/data/default_target.hpp"
#include "tests/rules/table.hpp"
#include "tests/support/default_experiment.hpp"

namespace atl::test {

namespace {

Attribute designated(Attribute attribute) {
  attribute.role = AttributeRole::target;
  return attribute;
}

Experiment usual() {
  Experiment experiment = default_experiment("niching");
  experiment.grammar = Grammar::builtin("association");
  return experiment;
}

struct Aimed {
  std::vector<std::string> target;
  std::vector<std::string> said;
};

Aimed aimed(const std::vector<Attribute>& attributes, Experiment experiment = usual()) {
  Aimed result;
  aim_at_designated(experiment, attributes, [&](Severity severity, const std::string& text) {
    EXPECT_EQ(severity, Severity::info);
    result.said.push_back(text);
  });
  result.target = experiment.aim.target;
  return result;
}

using Texts = std::vector<std::string>;
const Attribute plain = numeric("age", {17, 25, 30});

}  // namespace

TEST(DefaultTarget, IsWhatTheDataDesignate) {
  const Aimed one = aimed({plain, designated(nominal("income", {"<=50K", ">50K"}))});
  EXPECT_EQ(one.target, Texts{"income=*"});
  EXPECT_EQ(one.said, Texts{"the data designate 'income' as the target: rules conclude it, as by "
                            "--target 'income=*'; --target none is for rules about anything"});
  const Aimed two = aimed({designated(nominal("a, b", {"x", "y"})), plain,
                           designated(ordinal("size", {"small", "large"}))});
  EXPECT_EQ(two.target, (Texts{"\"a, b\"=*", "size=*"}));
}

TEST(DefaultTarget, OfANumberPointsToItsMean) {
  std::vector<double> prices;
  for (int i = 0; i < 50; ++i) prices.push_back(i * 0.5);
  const Aimed number = aimed({plain, designated(numeric("price", prices))});
  EXPECT_EQ(number.target, Texts{"price=*"});
  EXPECT_NE(number.said[0].find("; --target 'mean(price)' looks for where it is high; "),
            std::string::npos)
      << number.said[0];
  const Aimed label = aimed({plain, designated(numeric("class", {1, 2, 3}))});
  EXPECT_EQ(label.target, Texts{"class=*"});
  EXPECT_EQ(label.said[0].find("mean("), std::string::npos);
}

TEST(DefaultTarget, IsNothingThatCannotBeOne) {
  EXPECT_EQ(aimed({plain}).target, Texts());
  EXPECT_EQ(aimed({plain, designated(nominal("constant", {"x"}))}).said, Texts());
  Experiment without = usual();
  without.aim.exclude = {"income"};
  const std::vector<Attribute> attributes = {plain, designated(nominal("income", {"low", "high"})),
                                             designated(nominal("class", {"a", "b"}))};
  EXPECT_EQ(aimed(attributes, without).target, Texts{"class=*"});
}

TEST(DefaultTarget, IsOfExperimentsThatSayNothingOfConclusions) {
  EXPECT_TRUE(leaves_conclusions_open(usual()));
  Experiment experiment = usual();
  experiment.aim.exclude = {"id"};
  experiment.aim.require = {"age"};
  experiment.grammar = Grammar::builtin("association-full");
  EXPECT_TRUE(leaves_conclusions_open(experiment));
  experiment.grammar = "<r> ::= <equal> => <equal(income)>";
  EXPECT_FALSE(leaves_conclusions_open(experiment));
  for (auto list : {&Aim::target, &Aim::antecedent, &Aim::consequent}) {
    experiment = usual();
    experiment.aim.*list = {"none"};
    EXPECT_FALSE(leaves_conclusions_open(experiment));
  }
  experiment = usual();
  experiment.island_settings = {IslandSettings{}};
  experiment.island_settings[0].maximize = {"lift"};
  EXPECT_TRUE(leaves_conclusions_open(experiment));
  experiment.island_settings[0].target = {"income=*"};
  EXPECT_FALSE(leaves_conclusions_open(experiment));
}

}  // namespace atl::test
