#include "src/app/generate_options.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <limits>
#include <set>
#include <string_view>
#include <system_error>

#include "src/app/job_options.hpp"
#include "src/app/machine_options.hpp"
#include "src/app/output_options.hpp"
#include "src/core/agreement.hpp"
#include "src/core/error.hpp"
#include "src/core/text/number.hpp"
#include "src/work/rank_place.hpp"
#include "src/work/run_task.hpp"

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
  add_job_options(command);
}

void add_seed(CLI::App& command, std::uint64_t& seed) {
  add_number<std::uint64_t>(command, "--seed", seed, 0, std::numeric_limits<std::uint64_t>::max(),
                            "Seed of all draws")
      ->default_str(std::to_string(seed));
}

bool OutputOptions::to_file() const {
  return output != standard_output;
}

namespace {

/// Options that change nothing of the lines.
constexpr std::string_view of_the_job[] = {
    "--help",    "--config",           "--output",        "--force",
    "--threads", "--checkpoint-every", "--stop-after",    "--memory-limit",
    "--truth",   "--schema",           "--probabilities", "--probabilities-file"};

Identity identity_of(const CLI::App& command) {
  Identity identity{"generate " + command.get_name(), 2, {}};
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_name();
    if (std::ranges::find(of_the_job, name) != std::end(of_the_job)) continue;
    identity.marks.push_back({"another " + name, option->count() > 0 ? option->results().back()
                                                                     : option->get_default_str()});
  }
  return identity;
}

}  // namespace

ExitStatus write_as_task(const CLI::App& command, const OutputOptions& options, Lines lines,
                         LineCounts counts, const Context& context,
                         const std::function<void(const std::vector<std::uint64_t>&)>& use) {
  TaskJob job = task_job(command, options.output, options.force);
  job.what_takes_memory = "making lines takes";
  job.less_memory = "fewer --threads or ";
  LinesTask task(identity_of(command), std::move(lines), options.rows, std::move(counts));
  const ExitStatus status = run_task(task, job, context);
  on_root(context.communicator, [&] {
    if (status == ExitStatus::done && use) use(task.counts());
  });
  return status;
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
