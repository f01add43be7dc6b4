#include <CLI/CLI.hpp>

#include "src/app/commands.hpp"
#include "src/app/machine_options.hpp"
#include "src/backend/choice.hpp"
#include "src/run/loop/run_jobs.hpp"

namespace atl {
namespace {

ExitStatus resume(const CLI::App& command, const std::string& run, const Context& context) {
  FurtherJob further;
  further.folder = run;
  further.stop_after = stop_after(command);
  further.choose_backend = make_backend;
  further.change = [&](RunConfiguration& configuration) {
    apply_machine_options(command, configuration.machine);
  };
  further.keeps_team = command.count("--team") == 0;
  return resume_run(further, context);
}

}  // namespace

Command add_resume(CLI::App& program) {
  auto run = std::make_shared<std::string>();
  CLI::App* command =
      program.add_subcommand("resume", "Go on with a run from its latest checkpoint");
  command->add_option("RUN", *run, "Folder of the run")->required()->type_name("");
  add_machine_options(*command);
  add_team_options(*command);
  command->footer(
      "The result is that of a run never stopped, on any number of ranks and threads,\n"
      "in teams or not. Without a checkpoint the run begins again; a finished run has\n"
      "its files written again. If the data have moved, change `data` in [machine] of\n"
      "RUN/config.toml.");
  return {command,
          [command, run](const Context& context) { return resume(*command, *run, context); }, true};
}

}  // namespace atl
