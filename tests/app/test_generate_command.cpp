#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

#include <CLI/CLI.hpp>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "io/hdf5/dataset_file.hpp"
#include "io/tables/columns/schema.hpp"
#include "io/tables/import.hpp"
#include "src/app/commands.hpp"

namespace atl {
namespace {

class GenerateCommand : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  static void generate(const std::string& arguments, const std::string& force = " --force") {
    CLI::App program;
    const Command command = add_generate(program);
    program.parse("generate " + arguments + force);
    LocalCommunicator communicator;
    EXPECT_EQ(command.run({communicator, silent()}), ExitStatus::done);
  }
  static Report silent() {
    return [](Severity, const std::string&) {};
  }
  std::string content(const std::string& name) const {
    std::ifstream file(path(name));
    EXPECT_TRUE(file) << name;
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

 private:
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("test_generate." + std::to_string(getpid()));
};

TEST_F(GenerateCommand, ShorterTableIsAPrefix) {
  for (const std::string table : {"poker", "planted"}) {
    generate(table + " -o " + path("short.csv") + " --rows 100");
    generate(table + " -o " + path("long.csv") + " --rows 1000");
    EXPECT_TRUE(content("long.csv").starts_with(content("short.csv")));
    const std::string text = content("long.csv");
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1001);
    generate(table + " -o " + path("other.csv") + " --rows 100 --seed 2");
    EXPECT_NE(content("other.csv"), content("short.csv"));
  }
}

TEST_F(GenerateCommand, NothingIsReplacedUnasked) {
  generate("planted -o " + path("a.csv") + " --rows 50", "");
  const std::string table = content("a.csv");
  EXPECT_THROW(generate("planted -o " + path("a.csv") + " --rows 60", ""), UsageError);
  EXPECT_THROW(generate("poker -o " + path("a.csv") + " --rows 60", ""), UsageError);
  EXPECT_THROW(
      generate("planted -o " + path("b.csv") + " --rows 60 --truth " + path("a.truth.json"), ""),
      UsageError);
  EXPECT_THROW(generate("planted -o " + path("b.csv") + " --rows 60 --schema " + path("a.csv"), ""),
               UsageError);
  EXPECT_EQ(content("a.csv"), table);
  EXPECT_EQ(files(), (std::vector<std::string>{"a.csv", "a.truth.json"}));
}

TEST_F(GenerateCommand, PokerBeginsWithItsHeader) {
  generate("poker -o " + path("poker.csv") + " --rows 1");
  EXPECT_TRUE(content("poker.csv").starts_with("S1,C1,S2,C2,S3,C3,S4,C4,S5,C5,CLASS\n"));
  EXPECT_EQ(files(), std::vector<std::string>{"poker.csv"});
}

TEST_F(GenerateCommand, TruthIsWrittenBesideTheTable) {
  generate("planted -o " + path("a.csv") + " --rows 50");
  EXPECT_EQ(files(), (std::vector<std::string>{"a.csv", "a.truth.json"}));
  generate("planted -o " + path("b.csv") + " --rows 50 --truth " + path("t.json") + " --schema " +
           path("s.toml"));
  EXPECT_EQ(files(),
            (std::vector<std::string>{"a.csv", "a.truth.json", "b.csv", "s.toml", "t.json"}));
  EXPECT_EQ(content("t.json"), content("a.truth.json"));
}

TEST_F(GenerateCommand, DatasetFileEqualsTheImportedCsv) {
  generate("planted -o " + path("a.csv") + " --rows 70000 --schema " + path("s.toml"));
  const std::string truth = content("a.truth.json");
  generate("planted -o " + path("a.h5") + " --rows 70000");
  EXPECT_EQ(content("a.truth.json"), truth);

  io::ImportOptions options;
  options.inputs = {path("a.csv")};
  options.output = path("imported.h5");
  options.schema = io::parse_schema(content("s.toml"), "s.toml");
  EXPECT_EQ(io::import_tables(options, silent()).rows, 70000U);
  const io::DatasetSummary imported = io::read_summary(path("imported.h5"));
  const io::DatasetSummary written = io::read_summary(path("a.h5"));
  EXPECT_EQ(to_hex(written.fingerprint), to_hex(imported.fingerprint));
  EXPECT_EQ(written.rows, imported.rows);
  ASSERT_EQ(written.attributes.size(), imported.attributes.size());
  for (std::size_t a = 0; a < written.attributes.size(); ++a) {
    EXPECT_EQ(written.attributes[a].counts, imported.attributes[a].counts) << a;
    EXPECT_EQ(written.attributes[a].missing, imported.attributes[a].missing) << a;
    EXPECT_EQ(written.attributes[a].has_missing, imported.attributes[a].has_missing) << a;
  }
}

TEST_F(GenerateCommand, ConstantAttributesAreLeftOutOfADatasetFile) {
  generate("poker -o " + path("poker.h5") + " --rows 4 --seed 3");
  const io::DatasetSummary summary = io::read_summary(path("poker.h5"));
  EXPECT_EQ(summary.attributes.size() + summary.ignored.size(), 11U);
  EXPECT_EQ(summary.attributes.back().name, "CLASS");
  EXPECT_EQ(summary.attributes.back().role, AttributeRole::target);
  EXPECT_THROW(generate("poker -o " + path("one.h5") + " --rows 1"), UsageError);
  EXPECT_EQ(files(), std::vector<std::string>{"poker.h5"});
}

TEST_F(GenerateCommand, RefusesWhatItCannotDoAndLeavesNothing) {
  EXPECT_THROW(generate("poker -o " + path("a.txt")), UsageError);
  EXPECT_THROW(generate("poker -o " + path("no/a.csv")), CannotCreate);
  EXPECT_THROW(generate("planted -o " + path("a.csv") + " --rows 5 --attributes 4"), UsageError);
  EXPECT_THROW(generate("planted -o " + path("no/a.csv") + " --rows 5"), CannotCreate);
  EXPECT_THROW(generate("planted --rows 5 -o " + path("a.csv") + " --truth " + path("no/t.json")),
               CannotCreate);
  EXPECT_THROW(generate("planted --rows 0 -o " + path("a.csv")), UsageError);
  EXPECT_THROW(generate("planted -o " + path("a.csv")), CLI::ParseError);
  EXPECT_THROW(generate("planted --rows 5 --missing 2 -o " + path("a.csv")), UsageError);
  EXPECT_THROW(generate("quest -o " + path("a.csv")), CLI::ParseError);
  EXPECT_TRUE(files().empty());
}

TEST_F(GenerateCommand, NumbersOutOfRangeAreToldWithTheRange) {
  const auto refusal = [&](const std::string& options) -> std::string {
    try {
      generate(options + " -o " + path("a.csv"));
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  const std::string rows = "is no whole number from 1 to 1099511627776";
  for (const char* typed : {"0", "-1", "1e3", "0x10", "1099511627777", "18446744073709551616",
                            "100000000000000000000000"}) {
    const std::string expected = "--rows: '" + std::string(typed) + "' " + rows;
    EXPECT_EQ(refusal("poker --rows=\"" + std::string(typed) + "\""), expected);
    EXPECT_EQ(refusal("planted --rows=\"" + std::string(typed) + "\""), expected);
  }
  for (const char* typed : {"-1", "18446744073709551616"}) {
    EXPECT_EQ(
        refusal("poker --rows 5 --seed=" + std::string(typed)),
        "--seed: '" + std::string(typed) + "' is no whole number from 0 to 18446744073709551615");
  }
  EXPECT_EQ(refusal("planted --rows 5 --attributes=1"),
            "--attributes: '1' is no whole number from 2 to 10000");
  EXPECT_EQ(refusal("planted --rows 5 --rules=4294967296"),
            "--rules: '4294967296' is no whole number from 0 to 1000");
  EXPECT_TRUE(files().empty());
  generate("poker --rows 010 --seed 18446744073709551615 -o " + path("a.csv"));
  const std::string text = content("a.csv");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 11);
}

}  // namespace
}  // namespace atl
