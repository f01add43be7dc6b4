#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/config/experiment.hpp"
#include "src/core/error.hpp"
#include "tests/core/message_of.hpp"
#include "tests/support/default_experiment.hpp"

namespace atl {
namespace {

using Lines = std::vector<std::string>;

struct Read {
  Experiment experiment;
  Lines lines;
};

Read read_preset(const std::string& toml) {
  Read read;
  read.experiment =
      parse_preset(toml, "my.toml", algorithms(),
                   [&](Severity, const std::string& line) { read.lines.push_back(line); });
  return read;
}

TEST(FormerNames, OfAPresetAreReadAndTold) {
  const Read read = read_preset(
      "preset = \"pareto\"\nislands = 2\npool = 3\nmax_consequent = 0.5\ncrossover = 0.2\n");
  Experiment expected = default_experiment("niching");
  expected.islands = 2;
  expected.set("max_consequent", 0.5);
  EXPECT_EQ(read.experiment, expected);
  const std::string where = "my.toml: former version: ";
  EXPECT_EQ(read.lines, (Lines{where + "the keys of a preset belong under [experiment] now",
                               where + "preset \"pareto\" is called \"niching\" now",
                               where + "in [experiment.niching] now: max_consequent",
                               where + "not for preset \"niching\", ignored: crossover, pool"}));
}

TEST(FormerNames, KeysMoveToTheAlgorithmThatTakesThem) {
  const Read read = read_preset(
      "preset = \"g3parm\"\npool = 3\nmax_consequent = 0.5\ncrossover = 0.2\n"
      "[[island_settings]]\nislands = 1\nmutation = 0.3\n");
  EXPECT_EQ(read.experiment.settings.at("pool"), 3);
  EXPECT_EQ(read.experiment.settings.at("crossover"), 0.2);
  EXPECT_EQ(read.experiment.settings.at("mutation"), 0.1);
  EXPECT_EQ(read.experiment.max_consequent(), 1);
  EXPECT_EQ(read.experiment.by_island().at(1).settings.at("mutation"), 0.3);
}

TEST(FormerNames, ASectionOfTodayGoesBeforeAFormerKey) {
  const Read read =
      read_preset("[experiment]\npreset = \"g3parm\"\npool = 3\n[experiment.g3parm]\npool = 4\n");
  EXPECT_EQ(read.experiment.settings.at("pool"), 4);
}

TEST(FormerNames, FaultsKeepTheirPlaces) {
  const auto message = [](const std::string& toml) {
    return message_of([&] { read_preset(toml); });
  };
  EXPECT_EQ(message("preset = \"pareto\"\nislnds = 4"),
            "my.toml:2:10: unknown key 'islnds' in [experiment]");
  EXPECT_EQ(message("preset = \"g3parm\"\ncrossover = 2"),
            "my.toml:2:13: 'crossover' is 2, expected 0 to 1");
  EXPECT_EQ(
      message("seed = 4"),
      "my.toml:1:1: 'preset' must name the algorithm: niching, g3parm, random-search or rule-sets");
}

TEST(FormerNames, NothingIsToldOfTodaysForm) {
  for (const AlgorithmDescription& algorithm : algorithms()) {
    EXPECT_EQ(read_preset(std::string(algorithm.defaults)).lines, Lines());
  }
}

// As version 0.1 wrote it.
TEST(FormerNames, TheConfigurationOfARunIsRead) {
  RunConfiguration today{default_experiment("niching"), {}};
  today.experiment.set("max_consequent", 0.8);
  std::string toml = to_toml(today);
  const auto replace = [&](const std::string& from, const std::string& to) {
    ASSERT_NE(toml.find(from), std::string::npos) << from;
    toml.replace(toml.find(from), from.size(), to);
  };
  // Keys that there were not had the values that are their defaults.
  replace("\n[experiment.niching]\nmax_consequent = 0.8\nfit_rows = 512\nfinal_fit_rows = 8192\n",
          "");
  replace("preset = \"niching\"\n",
          "preset = \"pareto\"\npool = 20\ncrossover = 0.7\nmutation = 0.1\n"
          "max_consequent = 0.8\n");
  EXPECT_EQ(parse_run_configuration(toml, "config.toml", algorithms()), today);
  EXPECT_EQ(parse_preset(toml, "config.toml", algorithms()), today.experiment);
}

}  // namespace
}  // namespace atl
