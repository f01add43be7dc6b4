#include <unistd.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "io/run/run_files.hpp"
#include "io/run/run_folder.hpp"
#include "islands/algorithms.hpp"
#include "src/app/backend.hpp"
#include "src/app/commands.hpp"
#include "src/app/machine_options.hpp"
#include "src/core/agreement.hpp"
#include "src/run/data/default_target.hpp"
#include "src/run/data/run_data.hpp"
#include "src/run/log/migration_log.hpp"
#include "src/run/loop/job.hpp"
#include "src/run/loop/job_end.hpp"
#include "src/run/machine/teams.hpp"

namespace atl {

namespace {

/// What rank 0 holds of the run that goes on.
struct HeldRun {
  std::unique_ptr<io::RunLock> lock;
  std::unique_ptr<RunLog> log;
  std::optional<std::uint32_t> team;  ///< that the run keeps, even if this job does without
};

/// What config.toml says, and whose word its data are.
RunConfiguration read_configuration(const io::Folder& run) {
  uid_t owner = 0;
  const std::string text = io::read_file(run, io::run_names::config, io::most_text_bytes, &owner);
  auto configuration =
      parse_run_configuration(text, run.path_of(io::run_names::config), algorithms());
  std::optional<std::uint64_t>& named_by = configuration.machine.data_named_by_uid;
  if (owner != ::geteuid() && owner != 0) named_by = owner;
  if (named_by == ::geteuid()) named_by.reset();
  return configuration;
}

ExitStatus go_on(JobSettings& settings, const std::string& config, HeldRun& held,
                 const Context& context) {
  Communicator& communicator = context.communicator;
  Context logged = context;
  settings.dataset = text_of_root(communicator, [&] {
    logged.report = logging_report(context.report, *held.log);
    held.log->write("resume",
                    {{"process", ::getpid()}});  // a job that is killed as it loads has no more
    return data_to_go_on_with(settings, logged.report);
  });
  const std::string aimed = text_of_root(communicator, [&] {
    if (!begins_again(held.lock->folder())) return config;
    RunConfiguration configuration = settings.configuration;
    configuration.experiment = with_designated_target(configuration.experiment, settings.dataset,
                                                      held.lock->folder(), logged.report);
    return to_toml(configuration);
  });
  settings.configuration =
      parse_run_configuration(aimed, io::RunPaths(settings.folder).config, algorithms());
  settings.log = held.log.get();
  settings.choose_backend = make_backend;
  Job job(logged, settings);
  // Only now, so that a backend that is not there does not become the run's.
  on_root(communicator, [&] {
    RunConfiguration kept = settings.configuration;
    kept.machine.team = held.team;
    io::write_file(*held.lock, io::run_names::config, to_toml(kept));
  });
  return job.run();
}

ExitStatus resume(const CLI::App& command, const std::string& run, const Context& context) {
  JobSettings settings;
  settings.folder = run;
  settings.stop_after = stop_after(command);
  Communicator& communicator = context.communicator;
  const io::RunPaths paths(run);
  settings.grammar = paths.config + ", grammar";
  HeldRun held;
  const std::string config = text_of_root(communicator, [&] {
    held.lock = io::lock_run(run, {.report = context.report});
    settings.lock = held.lock.get();
    auto configuration = read_configuration(held.lock->folder());
    apply_machine_options(command, configuration.machine);
    held.team = configuration.machine.team;
    if (command.count("--team") == 0) {
      leave_unfit_team(configuration, communicator.size(), context.report);
    }
    expect_loggable_migration(configuration);
    held.log = std::make_unique<RunLog>(*held.lock, context.report);
    return to_toml(configuration);
  });
  settings.configuration = parse_run_configuration(config, paths.config, algorithms());

  bool begun = false;
  settings.on_begun = [&begun] { begun = true; };
  try {
    return go_on(settings, config, held, context);
  } catch (const Error& error) {
    if (held.log && !begun) log_failure(error, *held.log);  // else the job has done so
    throw;
  }
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
