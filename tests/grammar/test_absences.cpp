#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/grammar/absences.hpp"
#include "src/grammar/aim.hpp"
#include "tests/rules/table.hpp"
#include "tests/support/default_experiment.hpp"

namespace atl::test {
namespace {

std::vector<Attribute> items_there(std::uint64_t there) {
  std::vector<Attribute> attributes;
  for (int a = 0; a < 10; ++a) {
    attributes.push_back(numeric("i" + std::to_string(a), {0, 1}));
    attributes.back().counts = {1000 - there, there};
  }
  return attributes;
}

std::vector<std::string> said(const std::optional<bool>& absences,
                              const std::vector<Attribute>& attributes) {
  Experiment experiment;
  experiment.absences = absences;
  std::vector<std::string> lines;
  announce_absences(experiment, attributes,
                    [&](Severity, const std::string& line) { lines.push_back(line); });
  return lines;
}

TEST(Absences, AreLeftOutAsTheDataOrTheUserSay) {
  const auto derives = [](const std::optional<bool>& absences, std::uint64_t there) {
    Experiment experiment;
    experiment.absences = absences;
    return derives_absences(experiment, items_there(there));
  };
  EXPECT_FALSE(derives(std::nullopt, 40));
  EXPECT_TRUE(derives(std::nullopt, 400));
  EXPECT_TRUE(derives(true, 40));
  EXPECT_FALSE(derives(false, 400));
}

TEST(Absences, AreAnnouncedWhereNobodyHasAsked) {
  EXPECT_EQ(said(std::nullopt, items_there(40)),
            std::vector<std::string>{"10 of 10 attributes are items, there on 4% of the rows on "
                                     "average: no rule says that one is absent (--absences: rules "
                                     "may)"});
  EXPECT_TRUE(said(std::nullopt, items_there(400)).empty());
  EXPECT_TRUE(said(true, items_there(40)).empty());
  EXPECT_TRUE(said(false, items_there(40)).empty());
  const auto nothing = said(false, {numeric("x", {1, 2, 3})});
  ASSERT_EQ(nothing.size(), 1U);
  EXPECT_TRUE(nothing[0].starts_with("--no-absences changes nothing: "));
}

TEST(Absences, AreNoneOfTheGrammarsOfAnExperiment) {
  Experiment experiment = default_experiment("niching");
  experiment.grammar = "<r> ::= <equal> => <equal>";
  const auto attributes = items_there(40);
  const auto with = [&](const std::optional<bool>& absences) {
    experiment.absences = absences;
    return bind_grammars(experiment, attributes, "g").at(0).presence(3);
  };
  EXPECT_EQ(with(std::nullopt), 1U);
  EXPECT_EQ(with(false), 1U);
  EXPECT_FALSE(with(true));
}

}  // namespace
}  // namespace atl::test
