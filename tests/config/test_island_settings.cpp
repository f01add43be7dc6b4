#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/config/experiment.hpp"
#include "src/core/error.hpp"
#include "tests/core/message_of.hpp"
#include "tests/support/default_experiment.hpp"

namespace atl {
namespace {

IslandSettings settings_of(const char* islands) {
  IslandSettings settings;
  settings.islands = IslandRange::parse(islands);
  return settings;
}

TEST(IslandSettings, TakeThePlaceOfTheExperimentsLaterOnesFirst) {
  Experiment experiment = default_experiment("g3parm");
  experiment.islands = 8;
  experiment.aim.exclude = {"id"};
  auto& settings = experiment.island_settings;
  settings = {settings_of("2-5"), settings_of("4"), settings_of("7")};
  settings[0].maximize = {{"lift"}};
  settings[0].settings.set(*experiment.algorithm->find("mutation"), 0.5);
  settings[0].exclude.emplace();
  settings[1].maximize = {{"support", "lift"}};
  settings[2].grammar = "<rule> ::= <equal> => <equal>";
  experiment.validate();
  const auto by_island = experiment.by_island();
  std::vector<std::uint32_t> firsts;
  for (const auto& [first, its] : by_island) {
    firsts.push_back(first);
    EXPECT_TRUE(its.island_settings.empty());
    EXPECT_EQ(its.seed, experiment.seed);
    EXPECT_EQ(its.settings.at("mutation"), first >= 2 && first <= 5 ? 0.5 : 0.1) << first;
    EXPECT_EQ(its.aim.exclude.size(), first >= 2 && first <= 5 ? 0U : 1U) << first;
    EXPECT_EQ(its.grammar == experiment.grammar, first != 7) << first;
  }
  EXPECT_EQ(firsts, (std::vector<std::uint32_t>{0, 2, 4, 5, 6, 7}));
  EXPECT_EQ(by_island.at(0).maximize, experiment.maximize);
  EXPECT_EQ(by_island.at(2).maximize, (std::vector<std::string>{"lift"}));
  EXPECT_EQ(by_island.at(4).maximize, (std::vector<std::string>{"support", "lift"}));
  EXPECT_EQ(by_island.at(5).maximize, (std::vector<std::string>{"lift"}));
  EXPECT_EQ(by_island.at(6).maximize, experiment.maximize);
  auto all = experiment.maximize;
  for (const char* name : {"lift", "support"}) {
    if (std::find(all.begin(), all.end(), name) == all.end()) all.emplace_back(name);
  }
  EXPECT_EQ(experiment.all_maximized(), all);
}

TEST(IslandSettings, AreReadFromAPresetAndWrittenToTheConfiguration) {
  const Experiment own = parse_preset(
      "[experiment]\npreset = \"g3parm\"\n[[experiment.island_settings]]\nislands = 3\ncrossover = "
      "1\n"
      "grammar = \"\"\"<rule> ::= <equal>\n  => <equal>\"\"\"\n"
      "[[experiment.island_settings]]\nislands = \"0-1\"\ntarget = [\"income=*\", \"age = "
      "4\"]\nrequire = "
      "[]\n",
      "my.toml", algorithms());
  ASSERT_EQ(own.island_settings.size(), 2U);
  EXPECT_EQ(own.island_settings[0].islands, (IslandRange{3, 3}));
  EXPECT_EQ(own.island_settings[0].grammar, "<rule> ::= <equal>\n  => <equal>");
  EXPECT_EQ(own.island_settings[0].settings.find("crossover"), 1);
  EXPECT_EQ(own.island_settings[1].islands, (IslandRange{0, 1}));
  EXPECT_EQ(own.island_settings[1].target->size(), 2U);
  EXPECT_TRUE(own.island_settings[1].require && own.island_settings[1].require->empty());
  EXPECT_FALSE(own.island_settings[1].exclude);
  RunConfiguration configuration{default_experiment("g3parm"), {}};
  configuration.experiment.grammar = "<rule> ::= <equal> => <equal>";
  const Hash128 hash = configuration.experiment.hash();
  configuration.experiment.island_settings = own.island_settings;
  configuration.experiment.migration = Migration::asynchronous;
  configuration.experiment.definitions = DefinitionChoice::include;
  EXPECT_EQ(parse_run_configuration(to_toml(configuration), "config.toml", algorithms()),
            configuration);
  EXPECT_NE(configuration.experiment.hash(), hash);
}

TEST(IslandSettings, SayWhereTheyAreWrong) {
  const auto message = [](const std::string& toml) {
    return message_of([&] {
      parse_preset("[experiment]\npreset = \"niching\"\n[[experiment.island_settings]]\n" + toml,
                   "my.toml", algorithms())
          .validate();
    });
  };
  EXPECT_EQ(message("maximize = [\"lift\"]"),
            "my.toml:3:1: key 'islands' is missing in island_settings");
  EXPECT_EQ(message("islands = 1\nseed = 4"), "my.toml:5:8: unknown key 'seed' in island_settings");
  for (const char* islands : {"3-2", "", "-1", "1-", "1-2-3", "a", "4294967296"}) {
    EXPECT_EQ(message(std::string("islands = \"") + islands + "\""),
              std::string("my.toml:4:11: 'islands': '") + islands +
                  "' is no island or range of islands, such as \"3\" or \"4-7\"");
  }
  EXPECT_EQ(message("islands = 1.5"),
            "my.toml:4:11: 'islands' must be an island or a range of islands, such as 3 or "
            "\"4-7\"");
  EXPECT_EQ(message("islands = \"2-4\""),
            "island_settings of 2-4: there are 4 islands, numbered from 0");
  EXPECT_EQ(message("islands = 1\nmutation = 0.2"),
            "my.toml:5:12: unknown key 'mutation' in island_settings; it is a key of g3parm");
  EXPECT_EQ(message("islands = 1\nmaximize = []"),
            "island_settings, of island 1: --maximize names no measure");
  EXPECT_EQ(message("islands = 1\ntarget = [\"mean(x)\"]"),
            "island_settings, of island 1: a statistic of a number is the target of all islands or "
            "of none");
}

}  // namespace
}  // namespace atl
