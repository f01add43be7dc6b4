#include "src/app/program.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "io/hdf5/h5_inspection.hpp"
#include "mpi/session.hpp"
#include "src/app/command_line.hpp"
#include "src/app/commands.hpp"
#include "src/core/agreement.hpp"
#include "src/core/files/folder.hpp"
#include "src/core/text/wrapped_text.hpp"
#include "src/core/time_line.hpp"
#include "src/work/standard_streams.hpp"

namespace atl {
namespace {

/// Names a flag without what CLI11 has it mean, "{false}" or "{1}", but with the value that it may
/// have.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option_name(const CLI::Option* option, bool positional) const override {
    std::string name = CLI::Formatter::make_option_name(option, positional);
    const std::size_t from = name.find('{'), to = name.find('}');
    if (from == std::string::npos || to == std::string::npos) return name;
    name.erase(from, to - from + 1);
    return may_have_value(*option) ? name + "[=" + option->get_type_name() + "]" : name;
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    return may_have_value(*option) ? "" : CLI::Formatter::make_option_opts(option);
  }
};

constexpr const char* footer =
    "Data go to standard output or files, everything else to standard error.\n"
    "Exit status: 0 done; 64 usage; 65 bad data; 66 no such input; 69 backend\n"
    "unavailable or failed; 70 our bug; 73 cannot write; 74 I/O error, no memory or\n"
    "threads; 75 stopped early with a checkpoint.\n"
    "On several ranks: mpirun -n 4 atoll mine ...";

void add_common_options(CLI::App& command) {
  command.fallthrough();
  if (!command.get_subcommands([](CLI::App*) { return true; }).empty()) {
    for (CLI::App* part : command.get_subcommands([](CLI::App*) { return true; })) {
      add_common_options(*part);
    }
    return;
  }
  const std::string help = "TOML file of options, such as seed = 7; the command line overrides it";
  command.add_option("--config", help)->type_name("FILE");
}

/// Help, version and a text to print end the parsing like errors do. @throws UsageError
ExitStatus after_parse_error(const CLI::App& program, const CLI::App& command,
                             const CLI::ParseError& error, int rank) {
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
    const bool version = dynamic_cast<const CLI::CallForVersion*>(&error) != nullptr;
    const bool help = dynamic_cast<const CLI::CallForHelp*>(&error) != nullptr;
    if (rank != 0) return ExitStatus::done;
    write_stdout(version ? program.version() + "\n"
                 : help  ? fitted(program.help(), stdout_columns())
                         : error.what());
    return ExitStatus::done;
  }
  std::string path = command.get_name();
  for (const CLI::App* up = command.get_parent(); up != nullptr; up = up->get_parent()) {
    path.insert(0, up->get_name() + " ");
  }
  throw UsageError(std::string(error.what()) + " (see " + path + " --help)");
}

ExitStatus run_command(int argc, char** argv, Communicator& communicator) {
  CLI::App program("Mines rules from large tables with evolving islands.", "atoll");
  program.set_version_flag("-V,--version", std::string("atoll ") + ATOLL_VERSION,
                           "Print the version and exit");
  program.require_subcommand(1);
  program.footer(footer);
  program.formatter(std::make_shared<HelpFormatter>());
  program.get_formatter()->column_width(36);
  const std::vector<Command> commands = add_commands(program);
  for (const Command& command : commands) add_common_options(*command.options);

  std::vector<std::string> arguments = with_help_option({argv + 1, argv + argc});
  CLI::App* const selected = selected_command(program, arguments);
  if (arguments.empty()) throw UsageError("no command given (see atoll --help)");
  try {
    reject_unknown_command(program, arguments);
    reject_unknown_options(program, *selected, arguments);
    reject_odd_flags(program, *selected, arguments);
    arguments = with_config_file(*selected, arguments);
    program.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    for (const CLI::Option* given : selected->get_options())
      if (given->get_positional() && given->count() != 0 && given->results().front().empty())
        throw Error(ExitStatus::no_input, given->get_name() + " is empty");
    const bool speaks = communicator.rank() == 0;
    const Context context{communicator,
                          speaks ? stderr_report() : [](Severity, const std::string&) {}};
    for (const Command& command : commands) {
      if (!command.options->parsed() || !(command.parallel || communicator.rank() == 0)) continue;
      return command.run(context);
    }
    return ExitStatus::done;
  } catch (const CLI::ParseError& error) {  // commands convert some of the values
    return after_parse_error(program, *selected, error, communicator.rank());
  }
}

/// A rank that failed waits so long for the others to fail, too. Within it they come back from
/// what they do between two collective steps, or they wait for this rank in vain.
constexpr double seconds_for_others = 3;

/// Prints each failure once and agrees on one status. Where a rank failed while others wait for it
/// elsewhere, ends the whole job instead. Collective.
/// @param session  null in one process
ExitStatus conclude(const Outcome& outcome, Communicator& communicator, mpi::Session* session) {
  if (session == nullptr || communicator.size() == 1) {
    if (outcome.failed) write_stderr_line("atoll: " + outcome.message);
    return outcome.status;
  }
  if (!session->meet(outcome.failed && !outcome.agreed ? seconds_for_others : -1)) {
    write_stderr_line("atoll: " + with_rank(communicator.rank(), outcome.message));
    communicator.abort(outcome.status);
  }
  const std::vector<Outcome> all = all_outcomes(outcome, communicator);
  const auto failed =
      std::find_if(all.begin(), all.end(), [](const Outcome& o) { return o.failed; });
  if (communicator.rank() == 0) {
    std::set<std::string> said;
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
      if (!all[rank].failed || !said.insert(all[rank].message).second) continue;
      write_stderr_line("atoll: " + (rank == 0
                                         ? all[rank].message
                                         : with_rank(static_cast<int>(rank), all[rank].message)));
    }
  }
  return failed != all.end() ? failed->status : all.front().status;
}

}  // namespace

std::vector<Command> add_commands(CLI::App& program) {
  std::vector<Command> commands;
  for (const auto add : single_commands) commands.push_back(add(program));
  for (Command& command : add_classify(program)) commands.push_back(std::move(command));
  commands.push_back(add_submit(program, commands));
  return commands;
}

int run_program(int argc, char** argv) {
  if (const auto status = io::run_inspection_child(argc, argv)) return *status;
  TimeLine& line = time_line();
  line.enter("start", {});  // since the process began
  secure_standard_streams();
  io::keep_own_rights();
  LocalCommunicator local;
  std::unique_ptr<mpi::Session> session;
  const Outcome started = outcome_of([&] {
    if (mpi::launched()) session = std::make_unique<mpi::Session>(argc, argv);
    return ExitStatus::done;
  });
  if (started.failed) {
    write_stderr_line("atoll: " + started.message);
    return static_cast<int>(started.status);
  }
  line.leave();
  Communicator& communicator = session ? session->world() : local;
  const Outcome outcome = outcome_of([&] { return run_command(argc, argv, communicator); });
  const ExitStatus status = conclude(outcome, communicator, session.get());
  const bool speaks = communicator.rank() == 0;
  line.enter("end");
  session.reset();
  line.leave();
  if (speaks && !outcome.failed) tell_timings();  // an error is the last line
  return static_cast<int>(status);
}

}  // namespace atl
