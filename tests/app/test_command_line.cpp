#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <CLI/CLI.hpp>
#include <gtest/gtest.h>

#include "src/app/command_line.hpp"
#include "src/core/error.hpp"

namespace atl {
namespace {

class CommandLine : public testing::Test {
 protected:
  CommandLine() {
    command_ = program_.add_subcommand("mine");
    command_->add_option("DATA", data_);
    command_->add_option("-o,--output", output_);
    command_->add_option("--seed", seed_);
    command_->add_option("--maximize", maximize_);
    command_->add_flag("--force", force_);
    command_->add_option("--config", config_);
    char name[] = "/tmp/atoll-test-XXXXXX";
    folder_ = ::mkdtemp(name);
  }
  ~CommandLine() override { std::filesystem::remove_all(folder_); }

  std::vector<std::string> expanded(const std::string& toml, std::vector<std::string> arguments) {
    file_ = folder_ + "/options.toml";
    std::ofstream(file_) << toml;
    arguments.push_back("--config=" + file_);
    arguments = with_config_file(*command_, arguments);
    std::erase(arguments, "--config=" + file_);
    return arguments;
  }
  std::string message(const std::string& toml) {
    try {
      expanded(toml, {"mine"});
    } catch (const Error& error) {
      std::string text = error.what();
      return text.substr(text.find("options.toml"));
    }
    return "accepted";
  }

  CLI::App program_;
  CLI::App* command_;
  std::string data_, output_, seed_, maximize_, config_, folder_, file_;
  bool force_ = false;
};

using Arguments = std::vector<std::string>;

TEST_F(CommandLine, ConfigurationFileHoldsAnyLongOption) {
  EXPECT_EQ(expanded("seed = 7\nmaximize = [\"lift\", \"a,b\"]\nforce = true\n", {"mine", "d.csv"}),
            (Arguments{"mine", "d.csv", "--force", "--maximize=lift,\"a,b\"", "--seed=7"}));
  EXPECT_EQ(expanded("force = false", {"mine"}), Arguments{"mine"});
}

TEST_F(CommandLine, AFlagWithAnOppositeMayBeFalse) {
  const CLI::Option* const flag = command_->add_flag("--no-absences,!--absences");
  const auto value = [&](const std::string& toml, const Arguments& typed) {
    Arguments arguments = expanded(toml, typed);
    std::reverse(arguments.begin(), arguments.end());
    program_.parse(arguments);
    return flag->as<bool>();
  };
  EXPECT_TRUE(value("no-absences = true", {"mine"}));
  EXPECT_FALSE(value("no-absences = false", {"mine"}));
  EXPECT_FALSE(value("absences = true", {"mine"}));
  EXPECT_TRUE(value("absences = false", {"mine"}));
  EXPECT_FALSE(value("no-absences = true", {"mine", "--absences"}));
  EXPECT_TRUE(value("absences = true", {"mine", "--no-absences"}));
  EXPECT_FALSE(value("", {"mine", "--no-absences", "--absences"}));
}

TEST_F(CommandLine, CommandLineGoesBeforeTheFile) {
  EXPECT_EQ(expanded("seed = 7\noutput = \"x\"", {"mine", "--seed", "8", "-o", "run"}),
            (Arguments{"mine", "--seed", "8", "-o", "run"}));
  EXPECT_EQ(expanded("seed = 7", {"mine", "--seed=8"}), (Arguments{"mine", "--seed=8"}));
}

TEST_F(CommandLine, FileIsStrict) {
  EXPECT_EQ(message("sed = 7"), "options.toml:1:7: unknown option --sed; did you mean --seed?");
  EXPECT_EQ(message("force = 1"), "options.toml:1:9: --force must be true or false");
  EXPECT_EQ(message("seed = true"), "options.toml:1:8: --seed needs a value");
  EXPECT_EQ(message("\n[seed]\na = 1"),
            "options.toml:2:1: expected a string, a number, true or false, or a list of these");
  EXPECT_TRUE(message("\nseed = ").starts_with("options.toml:2:8: "));
  EXPECT_THROW(with_config_file(*command_, {"mine", "--config", folder_ + "/none.toml"}),
               MissingInput);
}

TEST_F(CommandLine, TheConfigurationOfARunIsAPresetAndAMachine) {
  const std::string saved =
      "[experiment]\npreset = \"niching\"\n[machine]\nbackend = \"cpu\"\nthreads = 2\n"
      "checkpoint_every = \"10\"\ndata = \"/a/b\"\n";
  EXPECT_THROW(expanded(saved, {"mine", "--seed=3"}), UsageError);  // a command without presets
  std::string preset, backend, threads, every;
  command_->add_option("--preset", preset);
  command_->add_option("--backend", backend);
  command_->add_option("--threads", threads);
  command_->add_option("--checkpoint-every", every);
  EXPECT_EQ(expanded(saved, {"mine", "--threads", "1"}),
            (Arguments{"mine", "--threads", "1", "--preset=" + file_, "--backend=cpu",
                       "--checkpoint-every=10"}));
  try {
    expanded(saved, {"mine", "--preset=g3parm"});
    ADD_FAILURE();
  } catch (const UsageError& error) {
    EXPECT_EQ(error.what(),
              "--config " + file_ + " is a whole experiment; --preset does not go with it");
  }
}

TEST_F(CommandLine, SuggestsTheNearestOption) {
  const auto message = [&](const std::string& option) -> std::string {
    try {
      reject_unknown_options(program_, *command_, {"mine", option});
    } catch (const UsageError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message("--sedd=3"), "unknown option --sedd; did you mean --seed?");
  EXPECT_EQ(message("--maximise"), "unknown option --maximise; did you mean --maximize?");
  EXPECT_EQ(message("--max"), "unknown option --max; did you mean --maximize?");
  EXPECT_EQ(message("--sede"), "unknown option --sede; did you mean --seed?");
  EXPECT_EQ(message("--quartz"), "unknown option --quartz");
  EXPECT_EQ(message("--foo"), "unknown option --foo");
  EXPECT_EQ(message("--seed=3"), "accepted");
  EXPECT_EQ(message("-o"), "accepted");
}

TEST_F(CommandLine, FindsTheInnermostCommand) {
  CLI::App* inner = program_.add_subcommand("generate")->add_subcommand("poker");
  EXPECT_EQ(selected_command(program_, {"--version", "generate", "poker", "mine"}), inner);
  EXPECT_EQ(selected_command(program_, {"mine", "generate"}), command_);
  EXPECT_EQ(selected_command(program_, {"nothing"}), &program_);
}

TEST_F(CommandLine, HelpIsAWordToo) {
  EXPECT_EQ(with_help_option({"help"}), Arguments{"--help"});
  EXPECT_EQ(with_help_option({"--version", "help", "mine"}),
            (Arguments{"--version", "mine", "--help"}));
  EXPECT_EQ(with_help_option({"mine", "help"}), (Arguments{"mine", "help"}));
  EXPECT_EQ(with_help_option({}), Arguments{});
}

}  // namespace
}  // namespace atl
