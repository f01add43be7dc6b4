#include "src/app/generate_options.hpp"

#include <filesystem>
#include <fstream>
#include <limits>
#include <set>
#include <string_view>
#include <system_error>

#include "src/app/machine_options.hpp"
#include "src/core/agreement.hpp"
#include "src/core/error.hpp"
#include "src/core/text/number.hpp"
#include "src/work/rank_place.hpp"
#include "src/work/standard_streams.hpp"

namespace atl {

namespace {

constexpr std::uint64_t most_rows = std::uint64_t{1} << 40;

}  // namespace

CLI::Option* add_real(CLI::App& command, const std::string& name, double& value, double lowest,
                      double highest, const std::string& help) {
  const auto take = [name, &value, lowest, highest](const std::string& text) {
    const auto number = parse_number(text);
    if (!number || *number < lowest || *number > highest) {
      throw UsageError(name + ": '" + printable(text) + "' is no number from " +
                       plain_number(lowest) + " to " + plain_number(highest));
    }
    value = *number;
  };
  return command.add_option_function<std::string>(name, take, help)
      ->type_name("X")
      ->default_str(plain_number(value));
}

void add_output(CLI::App& command, OutputOptions& options, const std::string& what,
                const std::string& forms) {
  command
      .add_option("-o,--output", options.output,
                  what + " to write, " + forms + "; - is standard output, as text")
      ->required();
  command.add_flag("--force", options.force, "Replace files that are there");
  CLI::Option* const rows =
      add_number<std::uint64_t>(command, "--rows", options.rows, 1, most_rows, "Rows to write");
  if (options.rows == 0) {
    rows->required();
  } else {
    rows->default_str(std::to_string(options.rows));
  }
  add_threads_option(command);
  options.command = &command;
}

void add_seed(CLI::App& command, std::uint64_t& seed) {
  add_number<std::uint64_t>(command, "--seed", seed, 0, std::numeric_limits<std::uint64_t>::max(),
                            "Seed of all draws")
      ->default_str(std::to_string(seed));
}

OutputPlace::OutputPlace(const std::string& output, const std::string& ending,
                         Communicator& communicator)
    : path_(output) {
  if (output != standard_output) return;
  on_all(communicator, [&] { folder_.emplace(); });
  path_ = folder_->folder().path_of("output" + ending);
}

void OutputPlace::finish(Communicator& communicator) const {
  if (!folder_) return;
  on_root(communicator, [&] {
    std::ifstream file(path_, std::ios::binary);
    std::string piece(std::size_t{1} << 20, '\0');
    bool read_on = true;
    while (file && read_on) {
      file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
      const auto got = static_cast<std::size_t>(file.gcount());
      if (got > 0) read_on = write_stdout_exactly(std::string_view(piece).substr(0, got));
    }
  });
}

Makers makers(const OutputOptions& options, const Context& context) {
  Machine machine;
  apply_counting_options(*options.command, machine);
  return {context.communicator, threads_of(machine.threads, context.communicator)};
}

void expect_different(const std::vector<std::string>& files) {
  std::set<std::filesystem::path> seen;
  for (const std::string& file : files) {
    std::error_code ignored;
    if (file.empty() ||
        seen.insert(std::filesystem::weakly_canonical(std::filesystem::absolute(file), ignored))
            .second)
      continue;
    throw UsageError(printable(file, 200) +
                     " is to be written twice: give the files different names");
  }
}

}  // namespace atl
