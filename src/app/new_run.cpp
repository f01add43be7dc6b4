#include "src/app/new_run.hpp"

#include <filesystem>

#include <CLI/CLI.hpp>

#include "io/run/run_files.hpp"
#include "io/run/run_folder.hpp"
#include "islands/algorithms.hpp"
#include "src/app/backend.hpp"
#include "src/app/exact_search.hpp"
#include "src/app/machine_options.hpp"
#include "src/app/option_values.hpp"
#include "src/app/text_options.hpp"
#include "src/core/agreement.hpp"
#include "src/core/text/near_names.hpp"
#include "src/core/utf8.hpp"
#include "src/run/data/default_target.hpp"
#include "src/run/data/run_data.hpp"
#include "src/run/log/migration_log.hpp"
#include "src/run/loop/job.hpp"
#include "src/run/machine/teams.hpp"

namespace atl {

namespace {

namespace fs = std::filesystem;

constexpr const char* new_run_rest =
    ",\n"
    "and data.h5 if DATA is text. SIGINT, SIGTERM, SIGUSR1, SIGXCPU and a file\n"
    "RUN/stop end the job after the current generation, with a checkpoint and the\n"
    "results so far, exit status 75; a second SIGINT ends it at once. A signal before\n"
    "the first generation, while data are imported or loaded, ends the job as usual;\n"
    "atoll resume then begins again.";

RunConfiguration configuration_from(const CLI::App& command, const NewRun& options,
                                    const std::function<Experiment()>& experiment) {
  RunConfiguration configuration;
  configuration.experiment = experiment();
  apply_machine_options(command, configuration.machine);
  apply_text_options(command, is_hdf5(options.data), configuration);
  expect_loggable_migration(configuration);
  std::string& data = configuration.machine.data = options.data;
  if (options.data != standard_input) {
    data = fs::absolute(options.data).lexically_normal().string();
  }
  if (first_invalid_utf8(data) != data.size())
    throw UsageError("DATA: the name " + in_quotes(data) +
                     " is not UTF-8, in which config.toml has it");
  return configuration;
}

/// Leaves RUN as it was before a run that could not begin.
void abandon(const io::RunLock& lock, const Report& report) {
  try {
    io::abandon_run(lock);
  } catch (const Error& error) {
    report(Severity::warning, std::string("some files are left: ") + error.what());
  }
}

/// The files of a run that is replaced are moved away before DATA are read.
void refuse_data_of_run(const std::string& data, const io::RunPaths& run) {
  for (const std::string& file : {run.data, run.rules_csv, run.history}) {
    std::error_code absent;
    if (data != standard_input && fs::equivalent(data, file, absent)) {
      throw UsageError("DATA is " + printable(file, 200) + " of the run to be replaced: " +
                       "mine into another folder, or copy the file first");
    }
  }
}

/// With what the data designate as targets; of a table that can be searched exactly, says so.
std::string aimed_configuration(const JobSettings& settings, const std::string& before,
                                const Report& report) {
  RunConfiguration configuration = settings.configuration;
  const io::Folder& run = settings.lock->folder();
  configuration.experiment =
      with_designated_target(configuration.experiment, settings.dataset, run, report);
  std::string text = to_toml(configuration);
  if (text != before) io::write_file(*settings.lock, io::run_names::config, text);
  tell_of_exact_search(settings.dataset, run, configuration, report);
  return text;
}

}  // namespace

void add_new_run_options(CLI::App& command, NewRun& run, const char* data_help) {
  command.add_option("DATA", run.data, data_help)->required()->type_name("");
  command.add_option("-o,--output", run.folder, "folder of the run")->required()->type_name("RUN");
  command.add_flag("--force", run.force,
                   "replace the run that is there, once the new one has begun");
}

std::string new_run_footer(const std::string& files) {
  return "DUR is a duration such as 90s, 15m or 1h30m.\nRUN holds " + files + new_run_rest;
}

ExitStatus begin_run(const CLI::App& command, const NewRun& options, const std::string& grammar,
                     const std::function<Experiment()>& experiment, const Context& context) {
  refuse_standard_output(options.folder, "a run is a folder, name one");
  JobSettings settings;
  settings.folder = options.folder;
  settings.grammar = grammar;
  settings.stop_after = stop_after(command);
  Communicator& communicator = context.communicator;
  const std::string config = text_of_root(
      communicator, [&] { return to_toml(configuration_from(command, options, experiment)); });
  settings.configuration = parse_run_configuration(config, "configuration", algorithms());
  const std::uint32_t islands = settings.configuration.experiment.islands;
  const bool in_teams = team_size(settings.configuration, communicator.size()) > 1;
  if (!in_teams && static_cast<std::uint32_t>(communicator.size()) > islands) {
    throw UsageError("--islands is " + std::to_string(islands) + ", fewer than the " +
                     std::to_string(communicator.size()) + " ranks");
  }

  std::unique_ptr<io::RunLock> lock;
  std::unique_ptr<RunLog> log;
  std::unique_ptr<Job> job;
  Context logged = context;
  bool begun = false;
  settings.on_begun = [&] {
    begun = true;
    io::drop_former_run(*lock);
  };
  try {
    settings.dataset = text_of_root(communicator, [&] {
      const io::RunPaths paths(options.folder);
      if (options.force) refuse_data_of_run(settings.configuration.machine.data, paths);
      lock = io::create_run(options.folder, options.force, {.report = context.report});
      settings.lock = lock.get();
      io::write_file(*lock, io::run_names::config, config);
      log = std::make_unique<RunLog>(*lock, context.report);
      logged.report = logging_report(context.report, *log);
      if (lock->folder().has(io::run_names::data)) {
        throw CannotCreate(paths.data, "was put there by somebody else as the run began");
      }
      return dataset_of_run(settings.configuration, *lock, logged.report);
    });
    const std::string aimed = text_of_root(
        communicator, [&] { return aimed_configuration(settings, config, logged.report); });
    settings.configuration = parse_run_configuration(aimed, "configuration", algorithms());
    settings.log = log.get();
    settings.choose_backend = make_backend;
    job = std::make_unique<Job>(logged, settings);
    return job->run();
  } catch (...) {
    job.reset();
    log.reset();
    if (lock && !begun) abandon(*lock, context.report);
    throw;
  }
}

}  // namespace atl
