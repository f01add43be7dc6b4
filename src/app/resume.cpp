#include <unistd.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "io/checkpoint_store.hpp"
#include "io/run_files.hpp"
#include "io/run_folder.hpp"
#include "src/app/commands.hpp"
#include "src/app/default_target.hpp"
#include "src/app/job.hpp"
#include "src/app/machine_options.hpp"
#include "src/app/migration_log.hpp"
#include "src/app/outcome.hpp"
#include "src/app/run_data.hpp"

namespace atl {

namespace {

/// Job tells of damaged checkpoints.
bool begins_again(const io::RunPaths& paths) {
  const auto silent = [](Severity, const std::string&) {};
  return !io::CheckpointStore(paths.checkpoints, 1, silent).latest_header();
}

ExitStatus resume(const CLI::App& command, const std::string& run, const Context& context) {
  JobSettings settings;
  settings.folder = run;
  settings.stop_after = stop_after(command);
  Communicator& communicator = context.communicator;
  const io::RunPaths paths(run);
  settings.grammar = paths.config + ", grammar";
  std::unique_ptr<io::RunLock> lock;
  const std::string config = on_root(communicator, [&] {
    lock = io::lock_run(run, {.report = context.report});
    settings.lock = lock.get();
    auto configuration =
        parse_run_configuration(io::read_file(lock->folder(), io::run_names::config), paths.config);
    apply_machine_options(command, configuration.machine);
    expect_loggable_migration(configuration);
    return to_toml(configuration);
  });
  settings.configuration = parse_run_configuration(config, paths.config);

  std::unique_ptr<RunLog> log;
  Context logged = context;
  settings.dataset = on_root(communicator, [&] {
    log = std::make_unique<RunLog>(lock->folder(), context.report);
    logged.report = logging_report(context.report, *log);
    log->write("resume",
               {{"process", ::getpid()}});  // a job that is killed as it loads has no more
    if (settings.configuration.machine.data == standard_input &&
        !lock->folder().has(io::run_names::data)) {
      throw MissingInput(paths.data, "missing, and standard input cannot be read again");
    }
    return dataset_of_run(settings.configuration.machine.data, lock->folder(), logged.report);
  });
  const std::string aimed = on_root(communicator, [&] {
    if (!begins_again(paths)) return config;
    RunConfiguration configuration = settings.configuration;
    configuration.experiment =
        with_designated_target(configuration.experiment, settings.dataset, logged.report);
    return to_toml(configuration);
  });
  settings.configuration = parse_run_configuration(aimed, paths.config);
  settings.log = log.get();
  Job job(logged, settings);
  // Only now, so that a backend that is not there does not become the run's.
  on_root(communicator, [&] {
    io::write_file(lock->folder(), io::run_names::config, aimed);
    return std::string();
  });
  return job.run();
}

}  // namespace

Command add_resume(CLI::App& program) {
  auto run = std::make_shared<std::string>();
  CLI::App* command =
      program.add_subcommand("resume", "Go on with a run from its latest checkpoint");
  command->add_option("RUN", *run, "Folder of the run")->required()->type_name("");
  add_machine_options(*command);
  command->footer(
      "The result is that of a run never stopped, on any number of ranks and threads. Without a\n"
      "checkpoint the run begins again; a finished run has its files written again. If the data\n"
      "have moved, change `data` in [machine] of RUN/config.toml.");
  return {command,
          [command, run](const Context& context) { return resume(*command, *run, context); }, true};
}

}  // namespace atl
