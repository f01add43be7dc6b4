#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include "src/app/commands.hpp"
#include "src/app/generate/poker.hpp"
#include "src/app/generate/write_table.hpp"

namespace atl {
namespace {

struct GenerateOptions {
  std::string output;
  std::uint64_t rows = 0;
  std::uint64_t seed = 1;
};

void add_common(CLI::App& command, GenerateOptions& options) {
  command.add_option("-o,--output", options.output, "File to write, .csv or .h5")->required();
  command.add_option("--seed", options.seed, "Seed of all draws")->capture_default_str();
}

}  // namespace

Command add_generate(CLI::App& program) {
  CLI::App* command = program.add_subcommand("generate", "Write a table made by a known recipe");
  command->require_subcommand(1);
  auto options = std::make_shared<GenerateOptions>();

  CLI::App* poker = command->add_subcommand("poker", "Poker hands and their class");
  add_common(*poker, *options);
  poker->add_option("--rows", options->rows, "Rows to write")
      ->default_val(std::uint64_t{1'025'010})
      ->check(CLI::Range(std::uint64_t{1}, std::numeric_limits<std::uint64_t>::max()));

  return {command, [=](const Context&) {
            write_table(PokerSource(options->seed), options->rows, options->output, [](auto) {});
            return ExitStatus::done;
          }};
}

}  // namespace atl
