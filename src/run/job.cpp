#include "src/run/job.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <limits>
#include <optional>
#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "io/run/checkpoint_store.hpp"
#include "io/run/run_files.hpp"
#include "io/run/run_folder.hpp"
#include "islands/archipelago.hpp"
#include "islands/archive_section.hpp"
#include "islands/rule_search.hpp"
#include "islands/run_sections.hpp"
#include "src/core/agreement.hpp"
#include "src/core/option_value.hpp"
#include "src/core/stopwatch.hpp"
#include "src/core/thread_pool.hpp"
#include "src/grammar/absences.hpp"
#include "src/grammar/aim.hpp"
#include "src/measures/measures.hpp"
#include "src/results/unmet_targets.hpp"
#include "src/run/asynchronous_phase.hpp"
#include "src/run/checkpoint_writer.hpp"
#include "src/run/cluster_warnings.hpp"
#include "src/run/dependences.hpp"
#include "src/run/final_results.hpp"
#include "src/run/job_end.hpp"
#include "src/run/job_rows.hpp"
#include "src/run/migration_log.hpp"
#include "src/run/polling_interval.hpp"
#include "src/run/progress_display.hpp"
#include "src/run/starting_state.hpp"
#include "src/run/stop_reason.hpp"
#include "src/run/stop_signals.hpp"

namespace atl {

namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

struct Job::State {
  State(const Context& the_context, const JobSettings& the_settings)
      : context(the_context),
        settings(the_settings),
        paths(settings.folder),
        experiment(settings.configuration.experiment),
        data(timed(
            load_seconds,
            [&] { return load_rows(settings, search_bins(experiment), context.communicator); })),
        dataset(data.search),
        bound(bind_grammars(experiment, dataset.attributes(), settings.grammar)),
        grammars(bound),
        backend(settings.choose_backend(machine(), dataset.rows(), context.communicator)),
        on_gpu(timed(device_seconds, [&] { return load_on_gpu(); })),
        pool(machine().threads != 0 ? machine().threads : available_cpus()),
        resident(on_gpu ? on_gpu : backend->load(dataset, pool)),
        search(experiment, grammars, *resident),
        archipelago(experiment, search, dataset.fingerprint(), pool, context.communicator) {
    // Refused now, not when results are written.
    option_value("--measures", [&] {
      return measures_named(experiment.measures, experiment.aim.concludes_mean());
    });
    if (is_root())
      store.emplace(settings.lock->folder(), machine().checkpoints_kept, context.report);
  }

  const Machine& machine() const { return settings.configuration.machine; }
  bool is_root() const { return context.communicator.rank() == 0; }
  double mined_seconds() const { return seconds_before + seconds_since(mining_start); }

  std::shared_ptr<Resident> load_on_gpu();
  void begin();
  void restore_or_initialise();
  StopReason own_reason() const;
  bool checkpoint_due(std::uint32_t generation) const;
  std::uint32_t next_look() const;
  PartialState gather(StopReason reason);
  void checkpoint(Clock::time_point stopped);
  void show_progress(bool last);
  void show(const Progress& progress, bool last);
  void advance(std::uint32_t last);
  StopReason mine(const StopSignals& signals);
  StopReason mine_asynchronously(const StopSignals& signals);
  bool finish(StopReason reason, const StopSignals& signals);

  double load_seconds = 0;    // HDF5 to memory
  double device_seconds = 0;  // memory to the device
  double dependence_seconds = 0;
  const Context& context;
  const JobSettings& settings;
  io::RunPaths paths;
  const Experiment& experiment;
  JobRows data;
  const Dataset& dataset;
  std::map<std::uint32_t, BoundGrammar> bound;
  IslandGrammars grammars;
  std::unique_ptr<Backend> backend;
  std::shared_ptr<Resident> on_gpu;  // how many threads depends on it
  ThreadPool pool;
  std::shared_ptr<Resident> resident;
  RuleSearch search;
  Archipelago archipelago;

  Dependences dependences;                   // rank 0
  std::optional<io::CheckpointStore> store;  // rank 0
  std::optional<StateAssembler> assembler;   // rank 0; the writer's while it writes
  std::optional<CheckpointWriter> writer;    // rank 0
  std::optional<ProgressDisplay> display;    // rank 0
  // Rank 0 takes mining_start before any rank begins to mine: no rank's phases last longer.
  Clock::time_point mining_start, last_checkpoint, last_progress;
  PollingInterval polling;
  std::uint32_t first_generation = 0;      // of the run
  std::uint32_t own_first_generation = 0;  // of this rank's islands, which may be further
  std::uint32_t last_saved_generation = 0;
  double waited = 0;          // seconds, for ranks that came later
  double seconds_before = 0;  // mined by former jobs
  std::uint32_t jobs = 0;     // this one included
  bool restored = false;
  bool was_finished = false;
};

Job::Job(const Context& context, const JobSettings& settings)
    : state_(std::make_unique<State>(context, settings)) {}
Job::~Job() = default;

std::shared_ptr<Resident> Job::State::load_on_gpu() {
  std::shared_ptr<Resident> loaded;
  on_all(context.communicator, [&] { loaded = backend->load_on_gpu(dataset); });
  return loaded;
}

void Job::State::begin() {
  on_root(context.communicator, [&] {
    const Stopwatch watch(dependence_seconds);
    dependences = dependences_of(settings, data, pool);
  });
  restore_or_initialise();
  on_root(context.communicator, [&] {
    char host[256] = "";
    (void)::gethostname(host, sizeof host - 1);
    settings.log->write("start", {{"version", ATOLL_VERSION},
                                  {"host", host},
                                  {"job", jobs},
                                  {"ranks", context.communicator.size()},
                                  {"threads", pool.threads()},
                                  {"backend", resident->device().name()},
                                  {"rows", dataset.rows()},
                                  {"rows_held_out", data.held_out ? data.held_out->rows() : 0},
                                  {"attributes", dataset.attributes().size()},
                                  {"load_seconds", load_seconds},
                                  {"device_seconds", device_seconds},
                                  {"dependence_seconds", dependence_seconds},
                                  {"islands", experiment.islands},
                                  {"generation", first_generation}});
    if (jobs == 1) {
      report_dependences(dependences, experiment, dataset.attributes(), context.report);
      warn_of_thin_support(experiment, dataset.rows(), context.report);
      tell_of_labels(dataset.attributes(), context.report);
      const auto targets = count_targets(experiment, dataset.attributes(), *resident);
      for (const auto& line : excluded_targets(experiment, dataset.attributes(), targets)) {
        context.report(Severity::warning, line);
      }
      announce_absences(experiment, dataset.attributes(), context.report);
    }
    announce_migration(experiment, context.report);
  });
  backend->report(pool.threads(), context, settings.log);
  warn_of_cluster(settings, pool.threads(), context);
  if (is_root()) {
    writer.emplace(*store, *settings.lock, *settings.log, context.report, restored);
    display.emplace();
  }
  last_checkpoint = last_progress = Clock::now();
}

void Job::State::restore_or_initialise() {
  mining_start = Clock::now();
  const auto state =
      state_to_go_on_from(store ? &*store : nullptr, experiment, dataset.fingerprint(), settings,
                          archipelago, context.communicator);
  jobs = 1;
  if (is_root()) {
    assembler.emplace(search, state ? history_of(*state) : std::vector<HistoryRow>());
  }
  if (!state) {
    on_all(context.communicator, [&] { archipelago.initialise(); });
    return;
  }
  archipelago.restore(*state);
  restored = true;
  seconds_before = state->header.seconds;
  was_finished = state->header.finished;
  jobs = state->header.jobs + (was_finished ? 0 : 1);
  first_generation = last_saved_generation = state->header.generation;
  own_first_generation = archipelago.generation();
}

// What rank 0 knows by itself, by clock and files; signals may reach any rank.
StopReason Job::State::own_reason() const {
  if (experiment.time_limit > 0 && mined_seconds() >= experiment.time_limit) {
    return StopReason::time_limit;
  }
  // Even the shortest job brings the run on, or a row of them would never end.
  const bool advanced = !restored || archipelago.generation() > own_first_generation;
  if (settings.stop_after > 0 && seconds_since(settings.start) >= settings.stop_after && advanced) {
    return StopReason::stop_after;
  }
  const bool told = settings.lock->folder().has(io::run_names::stop);
  return told ? StopReason::stop_file : StopReason::none;
}

// One that takes longer to write than the interval is not followed by another at once; who asks for
// generations gets each of them.
bool Job::State::checkpoint_due(std::uint32_t generation) const {
  if (writer->failed() || !settings.lock->folder().is_in_place()) return true;  // ends the job
  const CheckpointInterval& every = machine().checkpoint_every;
  if (every.generations != 0) {
    return generation >= std::uint64_t{last_saved_generation} + every.generations;
  }
  return seconds_since(last_checkpoint) >= every.seconds && !writer->busy();
}

// The generation up to which islands go on by themselves now. Rank 0 alone.
std::uint32_t Job::State::next_look() const {
  double left = std::numeric_limits<double>::infinity();
  const auto due = [&](double seconds) { left = std::min(left, seconds); };
  if (experiment.time_limit > 0) due(experiment.time_limit - mined_seconds());
  if (settings.stop_after > 0) due(settings.stop_after - seconds_since(settings.start));
  const CheckpointInterval& every = machine().checkpoint_every;
  if (every.generations == 0) due(every.seconds - seconds_since(last_checkpoint));
  const std::uint32_t now = archipelago.generation();
  std::uint64_t last = now + polling.next(now, left);
  if (every.generations != 0) {
    last = std::min(last, std::uint64_t{last_saved_generation} + every.generations);
  }
  last = std::min<std::uint64_t>(std::max<std::uint64_t>(last, now + 1), experiment.generations);
  return static_cast<std::uint32_t>(last);
}

// Rank 0's are of use.
PartialState Job::State::gather(StopReason reason) {
  auto parts = archipelago.gather();
  if (!parts) return {};
  parts->own.header.seconds = mined_seconds();
  parts->own.header.jobs = jobs;
  parts->own.header.finished = ends_run(reason);
  return std::move(*parts);
}

/// @param stopped  when islands were told to stop
void Job::State::checkpoint(Clock::time_point stopped) {
  PartialState parts = gather(StopReason::none);
  last_saved_generation = parts.own.header.generation;  // of rank 0, which asks for it
  on_root(context.communicator, [&] {
    settings.lock->folder().require_in_place();
    writer->start([this, parts = std::move(
                             parts)]() mutable { return assembler->assemble(std::move(parts)); },
                  stopped);
  });
  last_checkpoint = Clock::now();
}

void Job::State::show_progress(bool last) {
  Progress own = archipelago.progress();
  own.times.idle += waited;
  if (const auto all = gather_progress(own, context.communicator)) show(*all, last);
}

void Job::State::show(const Progress& progress, bool last) {
  last_progress = Clock::now();
  const double seconds = seconds_since(mining_start);
  if (!last) display->show(progress_line(progress, experiment, seconds, first_generation));
  settings.log->write("progress",
                      progress_record(progress, experiment, seconds, context.communicator.size()));
}

// A disk that has no room for the checkpoint may have some for the rules, and the other way round.
/// @return false: a signal came while the list was made
bool Job::State::finish(StopReason reason, const StopSignals& signals) {
  const Clock::time_point stopped = Clock::now();
  PartialState parts = gather(reason);
  const bool stopped_by_signal = signals.received() != 0;
  bool interrupted = false;
  const auto go_on = [&](const ListProgress& progress) {
    display->show(fmt::format("making the list: {} of {} rules, {} refined", progress.rules,
                              experiment.top, progress.refined));
    interrupted = !stopped_by_signal && signals.received() != 0;
    return !interrupted;
  };
  on_root(context.communicator, [&] {
    const io::Folder& run = settings.lock->folder();
    settings.lock->require_held();
    writer->wait();
    const RunState state = assembler->assemble(std::move(parts));
    if (was_finished) context.report(Severity::info, "the run is finished already");
    std::optional<Error> unsaved;
    if (!was_finished) unsaved = write_error(run, [&] { writer->write(state, stopped); });
    if (reason == StopReason::stop_file) remove_stop_file(run, context.report);
    const FoundRules found{archive_of(state, dataset.attributes()), history_of(state)};
    WrittenResults written;
    const auto lost = write_error(run, [&] {
      written = write_final_results(found, {settings, data, grammars, *backend, *resident, pool,
                                            context.report, dependences, go_on});
    });
    display.reset();
    if (unsaved || lost) throw unwritten(unsaved, lost, writer->any(), paths.folder);
    report_end(state.header, found.archive.size(), experiment,
               interrupted ? StopReason::signal : reason, written, paths, *settings.log,
               context.report);
  });
  std::array<std::uint64_t, 1> votes = {interrupted ? 1U : 0U};
  context.communicator.all_reduce_sum(votes);
  return votes[0] == 0;
}

// A device may fail on one rank; the others must not wait for it to exchange.
void Job::State::advance(std::uint32_t last) {
  double own = 0;
  {
    const Stopwatch watch(waited);
    on_all(context.communicator, [&] {
      const Stopwatch own_watch(own);
      archipelago.advance(last);
    });
  }
  waited -= own;
}

StopReason Job::State::mine(const StopSignals& signals) {
  for (;;) {
    // Who got a signal, and what rank 0 decides.
    std::array<std::uint64_t, 5> votes = {signals.received() != 0 ? 1U : 0U};
    if (is_root()) {
      votes[1] = static_cast<std::uint64_t>(own_reason());
      votes[2] = checkpoint_due(archipelago.generation()) ? 1 : 0;
      votes[3] = seconds_since(last_progress) >= 1 ? 1 : 0;
      votes[4] = next_look();
    }
    {
      const Stopwatch watch(waited);
      context.communicator.all_reduce_sum(votes);
    }
    if (was_finished || archipelago.generation() >= experiment.generations) {
      return StopReason::finished;
    }
    if (votes[1] != 0) return static_cast<StopReason>(votes[1]);
    if (votes[0] != 0) return StopReason::signal;
    if (votes[2] != 0) checkpoint(Clock::now());
    if (votes[3] != 0) show_progress(false);
    polling.go_on(archipelago.generation());
    advance(static_cast<std::uint32_t>(votes[4]));
    const auto moves = archipelago.exchange();
    if (moves && machine().migration_log) {
      log_migration(archipelago.generation(), *moves, context.communicator, settings.log);
    }
  }
}

StopReason Job::State::mine_asynchronously(const StopSignals& signals) {
  if (was_finished) return StopReason::finished;
  const AsynchronousPhaseControl control{
      [&] { return own_reason(); },
      [&](std::uint32_t generation) { return checkpoint_due(generation); },
      [&](const Progress& progress) {
        if (seconds_since(last_progress) >= 1) show(progress, false);
      }};
  for (;;) {
    const PhaseEnd end = asynchronous_phase(
        archipelago, context.communicator, experiment.generations,
        [&] { return signals.received() != 0; }, control);
    if (end.reason != StopReason::none) return end.reason;
    checkpoint(end.told);
  }
}

ExitStatus Job::run() {
  State& job = *state_;
  const StopSignals signals;
  job.context.communicator.barrier();  // the log's "start" says that every rank heeds signals
  job.begin();
  job.context.communicator.barrier();
  on_root(job.context.communicator, [&] {
    if (job.settings.on_begun) job.settings.on_begun();
  });
  try {
    const bool free = job.experiment.migration == Migration::asynchronous;
    const StopReason reason = free ? job.mine_asynchronously(signals) : job.mine(signals);
    job.show_progress(true);
    const bool whole = job.finish(reason, signals);
    return whole && ends_run(reason) ? ExitStatus::done : ExitStatus::stopped;
  } catch (const Error& error) {
    if (job.is_root()) log_failure(error, *job.settings.log);
    if (error.status() != ExitStatus::unavailable) throw;
    const std::string text = fmt::format("{}; go on from the last checkpoint: atoll resume {}",
                                         error.what(), job.paths.folder);
    if (dynamic_cast<const AgreedError*>(&error) != nullptr) {
      throw AgreedError(error.status(), text);
    }
    throw Error(error.status(), text);
  }
}

}  // namespace atl
