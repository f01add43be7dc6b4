#include <set>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "src/config/experiment.hpp"
#include "src/config/experiment_fields.hpp"
#include "src/config/experiment_settings.hpp"
#include "src/core/error.hpp"
#include "tests/core/message_of.hpp"
#include "tests/support/default_experiment.hpp"

namespace atl {
namespace {

TEST(Experiment, HasTheDefaultsOfThePresets) {
  const auto niching = default_experiment("niching");
  EXPECT_EQ(niching.population, 200U);
  EXPECT_EQ(niching.min_support.share, 0.001);
  EXPECT_EQ(niching.maximize, (std::vector<std::string>{"leverage", "certainty_factor"}));
  const auto g3parm = default_experiment("g3parm");
  EXPECT_EQ(g3parm.population, 50U);
  EXPECT_EQ(g3parm.settings.at("pool"), 20);
  EXPECT_EQ(g3parm.min_support.share, 0.7);
  EXPECT_EQ(g3parm.min_confidence, 0.9);
  EXPECT_NO_THROW(niching.validate());
  EXPECT_NO_THROW(g3parm.validate());
  EXPECT_EQ(message_of([] { default_experiment("best"); }),
            "--preset is 'best', expected niching, g3parm, random-search or rule-sets");
}

// The shortest text of 100000 is 1e+05, which is no whole number to TOML.
TEST(Experiment, WholeNumbersAreReadAsTheyWereWritten) {
  for (const double rows : {0.0, 512.0, 99'999.0, 100'000.0, 1'000'000.0, 2'000'000'000.0}) {
    RunConfiguration configuration{default_experiment("niching"), {}};
    configuration.experiment.set("fit_rows", rows);
    configuration.experiment.set("final_fit_rows", rows);
    configuration.experiment.time_limit = rows / 4;
    EXPECT_EQ(parse_run_configuration(to_toml(configuration), "c.toml", algorithms()),
              configuration)
        << rows;
  }
}

TEST(Presets, BuiltInOnesNameEveryKeyButThoseOfHigherLayers) {
  for (const AlgorithmDescription& algorithm : algorithms()) {
    const Experiment defaults = Experiment::defaults(algorithm);
    std::istringstream lines(to_toml(defaults));
    for (std::string line; std::getline(lines, line);) {
      const std::string key = line.substr(0, line.find(' '));
      if (line.empty() || key == "grammar" || key == "measures") continue;
      const std::string text = std::string("\n").append(algorithm.defaults);
      const std::string needle =
          std::string("\n").append(key).append(key.starts_with('[') ? "\n" : " = ");
      EXPECT_NE(text.find(needle), std::string::npos) << algorithm.name << " lacks " << key;
    }
    EXPECT_EQ(parse_preset(algorithm.defaults, "p.toml", algorithms()), defaults);
  }
}

TEST(Presets, NameNoKeyOfOtherAlgorithms) {
  for (const AlgorithmDescription& algorithm : algorithms()) {
    for (const AlgorithmDescription& other : algorithms()) {
      for (const AlgorithmKey& key : other.keys) {
        const std::string line = "\n" + std::string(key.name) + " = ";
        EXPECT_EQ(algorithm.defaults.find(line) != std::string_view::npos,
                  algorithm.find(key.name) != nullptr)
            << algorithm.name << " " << key.name;
      }
    }
  }
}

TEST(Presets, AUsersKeepsTheDefaultsOfItsAlgorithm) {
  const Experiment own = parse_preset(
      "[experiment]\npreset = \"g3parm\"\nseed = 7\nmin_support = \"50rows\"\nexclude = [\"id\"]\n",
      "my.toml", algorithms());
  Experiment expected = default_experiment("g3parm");
  expected.seed = 7;
  expected.min_support = SupportThreshold::parse("50rows");
  expected.aim.exclude = {"id"};
  EXPECT_EQ(own, expected);
}

TEST(Presets, TheConfigurationOfARunIsOne) {
  RunConfiguration configuration{default_experiment("g3parm"), {}};
  configuration.experiment.grammar = "<r> ::= <equal> => <equal>\n";
  configuration.experiment.seed = 9;
  EXPECT_EQ(parse_preset(to_toml(configuration), "config.toml", algorithms()),
            configuration.experiment);
}

TEST(Presets, HaveAbsencesOnlyWhereSomebodyHasChosen) {
  const std::string own = "[experiment]\npreset = \"niching\"\n";
  EXPECT_FALSE(parse_preset(own, "p.toml", algorithms()).absences);
  EXPECT_EQ(parse_preset(own + "absences = false\n", "p.toml", algorithms()).absences, false);
  EXPECT_EQ(parse_preset(own + "absences = true\n", "p.toml", algorithms()).absences, true);
  EXPECT_EQ(
      message_of([&] { parse_preset(own + "absences = \"auto\"\n", "p.toml", algorithms()); }),
      "p.toml:3:12: 'absences' must be true or false");
  RunConfiguration configuration{default_experiment("niching"), {}};
  EXPECT_EQ(to_toml(configuration).find("absences"), std::string::npos);
  for (const bool absences : {false, true}) {
    configuration.experiment.absences = absences;
    EXPECT_EQ(parse_run_configuration(to_toml(configuration), "c.toml", algorithms()),
              configuration);
    EXPECT_NE(configuration.experiment.hash(), default_experiment("niching").hash());
  }
}

TEST(Presets, SayWhereTheyAreWrong) {
  const auto message = [](const std::string& toml) {
    return message_of([&] { parse_preset(toml, "my.toml", algorithms()); });
  };
  const std::string algorithm = "[experiment]\npreset = \"niching\"\n";
  EXPECT_EQ(message(algorithm + "islnds = 4"),
            "my.toml:3:10: unknown key 'islnds' in [experiment]");
  EXPECT_EQ(message(algorithm + "islands = \"4\""),
            "my.toml:3:11: 'islands' must be a whole number, not negative");
  EXPECT_EQ(message(algorithm + "min_support = \"500\""),
            "my.toml:3:15: 'min_support': '500' could mean a share or rows: write 500% or 500rows");
  EXPECT_EQ(
      message("[experiment]\nseed = 4"),
      "my.toml:1:1: 'preset' must name the algorithm: niching, g3parm, random-search or rule-sets");
  EXPECT_EQ(message("[experiment]\n\npreset = \"mine\""),
            "my.toml:3:10: 'preset' must name the algorithm: niching, g3parm, random-search or "
            "rule-sets");
}

TEST(Presets, CheckTheSectionOfTheAlgorithm) {
  const auto message = [](const std::string& toml) {
    return message_of([&] {
      parse_preset("[experiment]\npreset = \"g3parm\"\n" + toml, "my.toml", algorithms());
    });
  };
  const std::string section = "[experiment.g3parm]\n";
  EXPECT_EQ(message(section + "pol = 4"), "my.toml:4:7: unknown key 'pol' in [experiment.g3parm]");
  EXPECT_EQ(message(section + "max_consequent = 0.5"),
            "my.toml:4:18: unknown key 'max_consequent' in [experiment.g3parm]; it is a key of "
            "niching or random-search");
  EXPECT_EQ(message(section + "crossover = \"0.5\""), "my.toml:4:13: 'crossover' must be a number");
  EXPECT_EQ(message(section + "crossover = 1.5"),
            "my.toml:4:13: 'crossover' is 1.5, expected 0 to 1");
  EXPECT_EQ(message(section + "pool = 2.5"),
            "my.toml:4:8: 'pool' must be a whole number, not negative");
  EXPECT_EQ(message(section + "pool = 0"), "my.toml:4:8: 'pool' is 0, expected 1 to 10000000");
  const auto of_niching = [](const std::string& toml) {
    return message_of([&] {
      parse_preset("[experiment]\npreset = \"niching\"\n[experiment.niching]\n" + toml, "my.toml",
                   algorithms());
    });
  };
  EXPECT_EQ(of_niching("fit_rows = \"all\""),
            "my.toml:4:12: 'fit_rows' must be a whole number, not negative");
  EXPECT_EQ(of_niching("final_fit_rows = 3000000000"),
            "my.toml:4:18: 'final_fit_rows' is 3000000000, expected 0 to 2147483647");
  EXPECT_EQ(message("g3parm = 1"), "my.toml:3:10: 'g3parm' must be a table");
  EXPECT_EQ(message("[experiment.niching]"),
            "my.toml:3:1: unknown key 'niching' in [experiment], whose preset is another");
}

TEST(Presets, LeaveRangesToWhoHasAllOptions) {
  const Experiment of_many = parse_preset(
      "[experiment]\npreset = \"niching\"\ntopology = \"random:5\"\n", "my.toml", algorithms());
  EXPECT_THROW(of_many.validate(), UsageError);
  Experiment more = of_many;
  more.islands = 6;
  more.validate();
}

TEST(Experiment, NamesTheOptionOutOfRange) {
  const auto message = [](auto change) {
    Experiment experiment = default_experiment("niching");
    change(experiment);
    return message_of([&] { experiment.validate(); });
  };
  EXPECT_EQ(message([](Experiment& e) { e.islands = 0; }),
            "--islands is 0, expected 1 to 16777215");
  EXPECT_EQ(message([](Experiment& e) { e.max_similarity = -0.5; }),
            "--max-similarity is -0.5, expected 0 to 1");
  EXPECT_EQ(message_of([] { default_experiment("niching").set("max_consequent", 1.5); }),
            "--max-consequent is 1.5, expected 0 to 1");
  EXPECT_EQ(message([](Experiment& e) { e.migrants = 200; }),
            "--migrants is 200, expected 0 to 199");
  EXPECT_EQ(message([](Experiment& e) { e.population = 3; }),
            "--population is 3, expected 4 to 10000000");
  EXPECT_EQ(message([](Experiment& e) { e.time_limit = 2e9; }),
            "--time-limit is 2000000000, expected 0 to 1000000000");
  EXPECT_EQ(message([](Experiment& e) { e.seed = ~std::uint64_t{0}; }),
            "--seed is 18446744073709551615, expected 0 to 9223372036854775807");
  EXPECT_EQ(message([](Experiment& e) { e.top = 1'000'001; }),
            "--top is 1000001, expected 1 to 1000000");
  EXPECT_EQ(message([](Experiment& e) { e.max_bins = 1; }),
            "--max-bins is 1, expected 0 (exact) or 2 and more");
  EXPECT_EQ(message([](Experiment& e) {
              e.maximize = {"lift", "lift"};
            }),
            "--maximize names 'lift' twice");
  EXPECT_EQ(message([](Experiment& e) { e.topology = "mesh"; }),
            "--topology is 'mesh', expected none, ring, two-way-ring, torus, hypercube, star, "
            "complete, random:K (K sources each) or edges");
  EXPECT_EQ(message([](Experiment& e) { e.topology = "random:4"; }),
            "--topology random:4 needs more than 4 islands, there are 4");
  const std::string list = "--topology: \"edges\", and no other, goes with a list of edges";
  EXPECT_EQ(message([](Experiment& e) { e.topology = "edges"; }), list);
  EXPECT_EQ(message([](Experiment& e) { e.edges = {{0, 1}}; }), list);
  const auto of_edges = [&](std::vector<Edge> edges) {
    return message([&](Experiment& e) {
      e.topology = "edges";
      e.edges = std::move(edges);
    });
  };
  EXPECT_EQ(of_edges({{0, 1}, {0, 1}}), "--topology: the edge from island 0 to 1 is there twice");
  EXPECT_EQ(of_edges({{2, 2}}), "--topology: the edge from island 2 to 2 is to itself");
  EXPECT_EQ(of_edges({{0, 4}}),
            "--topology: the edge from island 0 to 4 needs more than the 4 islands that "
            "there are; they are numbered from 0");
}

TEST(ParseEdges, ReadsTwoIslandsALine) {
  EXPECT_EQ(parse_edges("# from to\n\n3 1\r\n\t0  2 # the first\n1 3", "e.txt"),
            (std::vector<Edge>{{0, 2}, {1, 3}, {3, 1}}));
  const auto message = [](const std::string& text) {
    return message_of([&] { parse_edges(text, "e.txt"); });
  };
  const std::string expected = ": expected two numbers of islands, from and to";
  EXPECT_EQ(message("0 1\n2"), "e.txt: line 2" + expected);
  EXPECT_EQ(message("0 1 2"), "e.txt: line 1" + expected);
  EXPECT_EQ(message("0 -1"), "e.txt: line 1" + expected);
  EXPECT_EQ(message("0 4294967296"), "e.txt: line 1" + expected);
  EXPECT_EQ(message("0 1\n\n0 1"), "e.txt: line 3: the same edge as in line 1");
  EXPECT_EQ(message("4 4"), "e.txt: line 1: island 4 to itself");
  EXPECT_EQ(message("# none"), "e.txt: no edge, expected lines of two islands, from and to");
}

TEST(Presets, HaveEdgesAsPairs) {
  const std::string toml = "[experiment]\npreset = \"niching\"\ntopology = \"edges\"\n";
  const Experiment own = parse_preset(toml + "edges = [[2, 1], [0, 3]]", "my.toml", algorithms());
  EXPECT_EQ(own.edges, (std::vector<Edge>{{0, 3}, {2, 1}}));
  RunConfiguration configuration{own, {}};
  configuration.experiment.grammar = "<r> ::= <equal> => <equal>\n";
  EXPECT_EQ(parse_preset(to_toml(configuration), "config.toml", algorithms()),
            configuration.experiment);
  const auto message = [&](const std::string& edges) {
    return message_of([&] { parse_preset(toml + edges, "my.toml", algorithms()); });
  };
  EXPECT_EQ(message("edges = [[0, 1, 2]]"),
            "my.toml:4:10: 'edges' must be pairs of islands, [from, to]");
  EXPECT_EQ(message("edges = \"0 1\""),
            "my.toml:4:9: 'edges' must be a list of pairs of islands, [[0, 1], [1, 2]]");
  EXPECT_EQ(message("emigrants = \"worst\""),
            "my.toml:4:13: 'emigrants' must be \"best\", \"tournament\" or \"random\"");
}

TEST(Experiment, RefusesWhatNoMemoryHolds) {
  Experiment experiment = default_experiment("g3parm");
  experiment.islands = 1'000'000;
  experiment.population = 200;
  EXPECT_EQ(message_of([&] { experiment.validate(); }),
            "--islands 1000000 times --population 200 is 200000000 individuals, expected at most "
            "10000000");
  experiment.population = 10;
  experiment.migrants = 5;
  EXPECT_EQ(message_of([&] { experiment.validate(); }),
            "--islands 1000000 times --pool 20 is 20000000 individuals, expected at most 10000000");
  experiment.set("pool", 10);
  EXPECT_NO_THROW(experiment.validate());
}

RunConfiguration example() {
  RunConfiguration configuration{default_experiment("g3parm"), {}};
  configuration.experiment.grammar = "<rule> ::= \"a = \\\"b\\\"\" => <equal>\r\n# \t\x01 end\n";
  configuration.experiment.min_support = SupportThreshold::parse("12rows");
  configuration.experiment.attribute_bins = {{"wage \"gross\"\n", 16}, {"age", 0}};
  configuration.experiment.missing_consequent = MissingConsequent::exclude;
  configuration.experiment.aim = {{"age = *", "wage > 1"}, {"a", "b"}, {}, {"age"}, {"x,y"}};
  configuration.machine = {.backend = "cpu",
                           .threads = 7,
                           .device_memory = std::uint64_t{4} << 30,
                           .team = 2,
                           .split = TeamSplit::rules,
                           .checkpoint_every = CheckpointInterval::parse("10"),
                           .checkpoints_kept = 5,
                           .write_holdout = true,
                           .migration_log = true,
                           .data = "/data/it's \xc3\xbc.txt",
                           .text = {.format = "csv",
                                    .delimiter = "\"",
                                    .header = false,
                                    .encoding = "latin1",
                                    .missing = {{"-999", "n,d", ""}},
                                    .missing_only = {{"none"}},
                                    .decimal = "comma",
                                    .nominal = {{"zip \"code\""}},
                                    .ignore = {{"id"}},
                                    .schema = "[[column]]\nname = 'a'\n",
                                    .schema_file = "a b.toml",
                                    .encoding_otherwise = {}},
                           .data_named_by_uid = 1000};
  return configuration;
}

std::set<std::string> machine_lines(const RunConfiguration& configuration) {
  const std::string toml = to_toml(configuration);
  std::istringstream text(toml.substr(toml.find("[machine]\n") + 10));
  std::set<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.insert(line);
  return lines;
}

TEST(RunConfiguration, ReadsBackWhatItWrites) {
  const RunConfiguration configuration = example();
  EXPECT_EQ(parse_run_configuration(to_toml(configuration), "config.toml", algorithms()),
            configuration);
}

// Else a key that is forgotten would not be missed above.
TEST(RunConfiguration, TheExampleHasNoDefaultOfTheMachine) {
  const std::set<std::string> lines = machine_lines(example());
  std::size_t keys = 0;
  const Machine machine;
  for_each_field(machine, [&](const char*, const auto&) { ++keys; });
  EXPECT_EQ(lines.size(), keys);
  for (const std::string& line : machine_lines({default_experiment("g3parm"), {}})) {
    EXPECT_FALSE(lines.contains(line)) << line;
  }
}

TEST(RunConfiguration, HashCoversTheExperimentOnly) {
  RunConfiguration changed = example();
  changed.machine.threads = 8;
  EXPECT_EQ(changed.experiment.hash(), example().experiment.hash());
  changed.experiment.seed = 7;
  EXPECT_NE(changed.experiment.hash(), example().experiment.hash());
}

TEST(RunConfiguration, HashIsPinned) {
  // A change of it makes every existing run impossible to go on with.
  Experiment experiment = default_experiment("niching");
  experiment.patience = Patience::endless;  // as of runs of a time when there was none
  EXPECT_EQ(to_hex(experiment.hash()), "d33a076a7b5a7f23bd1202ff934b3723");
}

std::string edited(const std::string& from, const std::string& to) {
  std::string toml = to_toml(example());
  const std::size_t at = toml.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  toml.replace(at, from.size(), to);
  return message_of([&] { parse_run_configuration(toml, "c.toml", algorithms()); });
}

TEST(RunConfiguration, OfAFormerVersionHasNoDeviceMemory) {
  std::string toml = to_toml(example());
  const std::string line = "device_memory = 4294967296\n";
  ASSERT_NE(toml.find(line), std::string::npos);
  toml.erase(toml.find(line), line.size());
  EXPECT_EQ(parse_run_configuration(toml, "c.toml", algorithms()).machine.device_memory, 0U);
}

TEST(RunConfiguration, SaysWhereItIsWrong) {
  EXPECT_EQ(edited("islands = 4", "islnds = 4"),
            "c.toml:2:1: key 'islands' is missing in [experiment]");
  EXPECT_EQ(edited("islands = 4", "islands = 4\nhammer = 1"),
            "c.toml:10:10: unknown key 'hammer' in [experiment]");
  EXPECT_EQ(edited("islands = 4", "islands = \"4\""),
            "c.toml:9:11: 'islands' must be a whole number, not negative");
  EXPECT_EQ(edited("islands = 4", "islands = 5000000000"),
            "c.toml:9:11: 'islands' must be below 2^32");
  EXPECT_EQ(edited("islands = 4", "islands = 0"), "c.toml: --islands is 0, expected 1 to 16777215");
  EXPECT_EQ(edited("\"exclude\"", "\"keep\""),
            "c.toml:30:22: 'missing_consequent' must be \"count\" or \"exclude\"");
  EXPECT_EQ(edited("threads = 7", "threads = 10000000"),
            "c.toml: threads is 10000000, expected 0 to 4096");
  EXPECT_EQ(edited("device_memory = 4294967296", "device_memory = 1048575"),
            "c.toml: device_memory is 1048575, expected 0 or 1048576 to 1125899906842624 bytes");
  EXPECT_EQ(edited("[machine]", "[engine]"), "c.toml:47:1: unknown key 'engine'");
  EXPECT_TRUE(edited("islands = 4", "islands = ").starts_with("c.toml:9:11: "));
}

TEST(Experiment, SaysWhichOptionsDiffer) {
  const Experiment usual = default_experiment("niching");
  Experiment other = usual;
  EXPECT_EQ(differing_options(usual, other), "");
  other.attribute_bins["age"] = 8;
  EXPECT_EQ(differing_options(usual, other), "another --max-bins");
  other.max_bins += 2;
  other.seed += 1;
  EXPECT_EQ(differing_options(usual, other), "another --seed, another --max-bins");
  other.aim.target = {"class=*"};
  other.min_confidence = 0.25;
  EXPECT_EQ(differing_options(usual, other),
            "another --seed, another --min-confidence, another --max-bins and more");
  EXPECT_EQ(differing_options(usual, default_experiment("g3parm")), "another --preset");
  EXPECT_EQ(option_of(default_experiment("rule-sets"), "target"), "--class");
}

}  // namespace
}  // namespace atl
