#include "src/run/loop/run_jobs.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "io/run/run_files.hpp"
#include "io/run/run_folder.hpp"
#include "islands/algorithms.hpp"
#include "src/core/agreement.hpp"
#include "src/run/data/default_target.hpp"
#include "src/run/data/run_data.hpp"
#include "src/run/log/run_log.hpp"
#include "src/run/loop/job.hpp"
#include "src/run/loop/job_report.hpp"
#include "src/run/machine/teams.hpp"

namespace atl {
namespace {

namespace fs = std::filesystem;

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

/// With what the data designate as targets.
std::string aimed_configuration(const FirstJob& first, const JobSettings& settings,
                                const std::string& before, const Report& report) {
  RunConfiguration configuration = settings.configuration;
  const io::Folder& run = settings.lock->folder();
  configuration.experiment =
      with_designated_target(configuration.experiment, settings.dataset, run, report);
  std::string text = to_toml(configuration);
  if (text != before) io::write_file(*settings.lock, io::run_names::config, text);
  first.on_data(settings.dataset, run, configuration, report);
  return text;
}

void expect_enough_islands(const RunConfiguration& configuration, int ranks) {
  const std::uint32_t islands = configuration.experiment.islands;
  const bool in_teams = team_size(configuration, ranks) > 1;
  if (in_teams || static_cast<std::uint32_t>(ranks) <= islands) return;
  throw UsageError("--islands is " + std::to_string(islands) + ", fewer than the " +
                   std::to_string(ranks) + " ranks");
}

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
    if (!has_no_checkpoint(held.lock->folder())) return config;
    RunConfiguration configuration = settings.configuration;
    configuration.experiment = with_designated_target(configuration.experiment, settings.dataset,
                                                      held.lock->folder(), logged.report);
    return to_toml(configuration);
  });
  settings.configuration =
      parse_run_configuration(aimed, io::RunPaths(settings.folder).config, algorithms());
  settings.log = held.log.get();
  Job job(logged, settings);
  // Only now, so that a backend that is not there does not become the run's.
  on_root(communicator, [&] {
    RunConfiguration kept = settings.configuration;
    kept.machine.team = held.team;
    io::write_file(*held.lock, io::run_names::config, to_toml(kept));
  });
  return job.run();
}

}  // namespace

ExitStatus begin_run(const FirstJob& first, const Context& context) {
  JobSettings settings;
  settings.folder = first.folder;
  settings.grammar = first.grammar;
  settings.stop_after = first.stop_after;
  settings.choose_backend = first.choose_backend;
  Communicator& communicator = context.communicator;
  const std::string config = text_of_root(communicator, [&] {
    const RunConfiguration configuration = first.configuration();
    expect_recordable(configuration);
    return to_toml(configuration);
  });
  settings.configuration = parse_run_configuration(config, "configuration", algorithms());
  expect_enough_islands(settings.configuration, communicator.size());

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
      const io::RunPaths paths(first.folder);
      if (first.force) refuse_data_of_run(settings.configuration.machine.data, paths);
      lock = io::create_run(first.folder, first.force, {.report = context.report});
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
        communicator, [&] { return aimed_configuration(first, settings, config, logged.report); });
    settings.configuration = parse_run_configuration(aimed, "configuration", algorithms());
    settings.log = log.get();
    job = std::make_unique<Job>(logged, settings);
    return job->run();
  } catch (...) {
    job.reset();
    log.reset();
    if (lock && !begun) abandon(*lock, context.report);
    throw;
  }
}

ExitStatus resume_run(const FurtherJob& further, const Context& context) {
  JobSettings settings;
  settings.folder = further.folder;
  settings.stop_after = further.stop_after;
  settings.choose_backend = further.choose_backend;
  Communicator& communicator = context.communicator;
  const io::RunPaths paths(further.folder);
  settings.grammar = paths.config + ", grammar";
  HeldRun held;
  const std::string config = text_of_root(communicator, [&] {
    held.lock = io::lock_run(further.folder, {.report = context.report});
    settings.lock = held.lock.get();
    auto configuration = read_configuration(held.lock->folder());
    further.change(configuration);
    held.team = configuration.machine.team;
    if (further.keeps_team) {
      leave_unfit_team(configuration, communicator.size(), context.report);
    }
    expect_recordable(configuration);
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

}  // namespace atl
