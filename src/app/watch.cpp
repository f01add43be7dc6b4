#include <string>

#include <CLI/CLI.hpp>

#include "io/run/run_files.hpp"
#include "io/run/run_folder.hpp"
#include "islands/algorithms.hpp"
#include "src/app/commands.hpp"
#include "src/config/experiment.hpp"
#include "src/run/info/job_watch.hpp"

namespace atl {
namespace {

ExitStatus watch(const std::string& folder) {
  const io::Folder run = io::find_run(folder);
  io::expect_mined(run);
  const Experiment experiment =
      parse_run_configuration(io::read_file(run, io::run_names::config),
                              run.path_of(io::run_names::config), algorithms())
          .experiment;
  return watch_run(folder, experiment) ? ExitStatus::done : ExitStatus::stopped;
}

}  // namespace

Command add_watch(CLI::App& program) {
  auto folder = std::make_shared<std::string>();
  CLI::App* command = program.add_subcommand("watch", "Follow the job that works on a run");
  command->add_option("RUN", *folder, "Folder of the run")->required()->type_name("");
  command->footer(
      "Shows what the job writes to RUN/log.jsonl, from any host that sees the\n"
      "folder, until it ends: status 0 if the run is finished, 75 if not.");
  return {command, [folder](const Context&) { return watch(*folder); }};
}

}  // namespace atl
