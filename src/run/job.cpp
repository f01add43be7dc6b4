#include "src/run/job.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "io/run/checkpoint_store.hpp"
#include "io/run/run_files.hpp"
#include "io/run/run_folder.hpp"
#include "islands/run_sections.hpp"
#include "src/core/agreement.hpp"
#include "src/core/option_value.hpp"
#include "src/core/shell_word.hpp"
#include "src/core/stopwatch.hpp"
#include "src/measures/measures.hpp"
#include "src/run/asynchronous_phase.hpp"
#include "src/run/checkpoint_writer.hpp"
#include "src/run/cluster_warnings.hpp"
#include "src/run/job_end.hpp"
#include "src/run/job_start.hpp"
#include "src/run/job_task.hpp"
#include "src/run/job_votes.hpp"
#include "src/run/migration_log.hpp"
#include "src/run/mining_parts.hpp"
#include "src/run/polling_interval.hpp"
#include "src/run/progress_display.hpp"
#include "src/run/starting_state.hpp"
#include "src/run/stop_reason.hpp"
#include "src/run/stop_signals.hpp"

namespace atl {

namespace {

/// For the list of a run that a signal has stopped on its way: who sent it may kill the job soon.
constexpr double most_list_seconds = 5;

using Clock = std::chrono::steady_clock;

/// What rank 0 has beside what every rank has.
struct RootParts {
  RootParts(MiningParts& parts, const JobSettings& settings, const Report& report)
      : task(settings.configuration.experiment.algorithm->traits.classifies
                 ? make_list_task(parts, settings, report)
                 : make_rule_task(parts, settings, report)),
        store(settings.lock->folder(), settings.configuration.machine.checkpoints_kept, report) {}

  const std::unique_ptr<JobTask> task;
  io::CheckpointStore store;
  std::optional<StateAssembler> assembler;  // the writer's while it writes
  std::optional<CheckpointWriter> writer;
  std::optional<ProgressDisplay> display;
};

/// Where a job goes on from.
struct StartingPoint {
  std::uint32_t job = 1;             // its number in the run
  std::uint32_t generation = 0;      // of the run
  std::uint32_t own_generation = 0;  // of this rank's islands, which may be further
  double seconds_mined = 0;          // by former jobs
  bool restored = false;             // from a checkpoint
  bool was_finished = false;
};

}  // namespace

struct Job::State {
  State(const Context& the_context, const JobSettings& the_settings)
      : context(the_context), settings(the_settings), parts(context, settings) {
    // Refused now, not when results are written.
    option_value("--measures", [&] {
      return measures_named(experiment.measures, experiment.aim.concludes_mean());
    });
    if (context.communicator.rank() == 0) root.emplace(parts, settings, context.report);
  }

  const Machine& machine() const { return settings.configuration.machine; }
  double mined_seconds() const { return from.seconds_mined + seconds_since(mining_start); }

  void begin();
  void restore_or_initialise();
  StopReason own_reason() const;
  bool checkpoint_due(std::uint32_t generation) const;
  std::uint32_t next_look() const;
  JobVotes vote(const StopSignals& signals);
  PartialState gather(StopReason reason);
  void checkpoint(Clock::time_point stopped);
  void show_progress(bool last);
  void show(const Progress& progress, bool last);
  void advance(std::uint32_t last);
  void exchange();
  StopReason mine(const StopSignals& signals);
  StopReason mine_asynchronously(const StopSignals& signals);
  bool finish(StopReason reason, const StopSignals& signals);
  void write_end(StopReason reason, PartialState gathered, Clock::time_point stopped,
                 const std::function<bool(const std::string&)>& go_on,
                 const StopReason& interrupted);

  const Context& context;
  const JobSettings& settings;
  const Experiment& experiment = settings.configuration.experiment;
  MiningParts parts;
  Archipelago& archipelago = parts.archipelago;
  std::optional<RootParts> root;  // on rank 0

  StartingPoint from;
  // Rank 0 takes mining_start before any rank begins to mine: no rank's phases last longer.
  Clock::time_point mining_start, last_checkpoint, last_progress;
  std::uint32_t last_saved_generation = 0;
  PollingInterval polling;
  double waited = 0;  // seconds, for ranks that came later
};

Job::Job(const Context& context, const JobSettings& settings)
    : state_(std::make_unique<State>(context, settings)) {}
Job::~Job() = default;

// The life of a job: begin, mine until something ends it, finish.
ExitStatus Job::run() {
  State& job = *state_;
  Communicator& ranks = job.context.communicator;
  const StopSignals signals;
  ranks.barrier();  // the log's "start" says that every rank heeds signals
  job.begin();
  ranks.barrier();
  on_root(ranks, [&] {
    if (job.settings.on_begun) job.settings.on_begun();
  });
  try {
    const bool asynchronous = job.experiment.migration == Migration::asynchronous;
    const StopReason reason = asynchronous ? job.mine_asynchronously(signals) : job.mine(signals);
    job.show_progress(true);
    const bool whole = job.finish(reason, signals);
    return whole && ends_run(reason) ? ExitStatus::done : ExitStatus::stopped;
  } catch (const Error& error) {
    if (job.root) log_failure(error, *job.settings.log);
    if (error.status() != ExitStatus::unavailable) throw;
    const std::string text = fmt::format("{}; go on from the last checkpoint: atoll resume {}",
                                         error.what(), shell_word(job.settings.folder));
    if (dynamic_cast<const AgreedError*>(&error) != nullptr) {
      throw AgreedError(error.status(), text);
    }
    throw Error(error.status(), text);
  }
}

void Job::State::begin() {
  double dependence_seconds = 0;
  on_root(context.communicator, [&] {
    const Stopwatch watch(dependence_seconds);
    root->task->look_at_data();
    root->display.emplace();
  });
  restore_or_initialise();
  on_root(context.communicator, [&] {
    log_start(parts, settings, context, from.job, from.generation, dependence_seconds);
    if (from.job == 1) root->task->report_data(context.report);
    announce_migration(experiment, context.report);
  });
  parts.backend->report(parts.pool.threads(), context, settings.log);
  warn_of_cluster(settings, parts.pool.threads(), context);
  if (root) {
    root->writer.emplace(root->store, *settings.lock, *settings.log, context.report, from.restored);
  }
  last_checkpoint = last_progress = Clock::now();
}

void Job::State::restore_or_initialise() {
  mining_start = Clock::now();
  const auto state =
      state_to_go_on_from(root ? &root->store : nullptr, experiment, parts.dataset().fingerprint(),
                          settings, archipelago, context.communicator);
  if (root) {
    root->assembler.emplace(*parts.search, state ? history_of(*state) : History());
  }
  if (!state) {
    if (root) {  // the longest generation of a search for lists
      root->display->show(fmt::format("generation 0/{}: the first {}", experiment.generations,
                                      experiment.algorithm->traits.classifies ? "lists" : "rules"));
    }
    on_all(context.communicator, [&] { archipelago.initialise(); });
    return;
  }
  on_all(context.communicator, [&] { archipelago.restore(*state); });
  const RunStateHeader& header = state->header;
  from = {.job = header.jobs + (header.finished ? 0U : 1U),
          .generation = header.generation,
          .own_generation = archipelago.generation(),
          .seconds_mined = header.seconds,
          .restored = true,
          .was_finished = header.finished};
  last_saved_generation = header.generation;
}

// What rank 0 knows by itself, by clock and files; signals may reach any rank.
StopReason Job::State::own_reason() const {
  if (experiment.time_limit > 0 && mined_seconds() >= experiment.time_limit) {
    return StopReason::time_limit;
  }
  // Even the shortest job brings the run on, or a row of them would never end.
  const bool advanced = !from.restored || archipelago.generation() > from.own_generation;
  if (settings.stop_after > 0 && seconds_since(settings.start) >= settings.stop_after && advanced) {
    return StopReason::stop_after;
  }
  const bool told = settings.lock->folder().has(io::run_names::stop);
  return told ? StopReason::stop_file : StopReason::none;
}

// One that takes longer to write than the interval is not followed by another at once; who asks for
// generations gets each of them.
bool Job::State::checkpoint_due(std::uint32_t generation) const {
  if (root->writer->failed() || !settings.lock->folder().is_in_place())
    return true;  // ends the job
  const CheckpointInterval& every = machine().checkpoint_every;
  if (every.generations != 0) {
    return generation >= std::uint64_t{last_saved_generation} + every.generations;
  }
  return seconds_since(last_checkpoint) >= every.seconds && !root->writer->busy();
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
  auto gathered = archipelago.gather();
  if (!gathered) return {};
  gathered->own.header.seconds = mined_seconds();
  gathered->own.header.jobs = from.job;
  gathered->own.header.finished = ends_run(reason);
  return std::move(*gathered);
}

/// @param stopped  when islands were told to stop
void Job::State::checkpoint(Clock::time_point stopped) {
  PartialState gathered = gather(StopReason::none);
  last_saved_generation = gathered.own.header.generation;  // of rank 0, which asks for it
  on_root(context.communicator, [&] {
    settings.lock->folder().require_in_place();
    auto state = [this, own = std::move(gathered)]() mutable {
      return root->assembler->assemble(std::move(own));
    };
    root->writer->start(std::move(state), stopped);
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
  if (!last) root->display->show(progress_line(progress, experiment, seconds, from.generation));
  settings.log->write("progress",
                      progress_record(progress, experiment, seconds, context.communicator.size()));
}

/// @return false: the list was not made to its end
bool Job::State::finish(StopReason reason, const StopSignals& signals) {
  const Clock::time_point stopped = Clock::now();
  PartialState gathered = gather(reason);
  // One that has stopped the search does not stop the list at once.
  const int known = reason == StopReason::signal ? signals.count() : 0;
  StopReason interrupted = StopReason::none;
  const auto go_on = [&](const std::string& line) {
    root->display->show(line);
    const bool told = settings.lock->folder().has(io::run_names::stop);
    const bool hurries = reason == StopReason::signal && seconds_since(stopped) > most_list_seconds;
    if (signals.count() > known || hurries) {
      interrupted = StopReason::signal;
    } else if (told && reason != StopReason::stop_file) {
      interrupted = StopReason::stop_file;
    }
    return interrupted == StopReason::none;
  };
  on_root(context.communicator,
          [&] { write_end(reason, std::move(gathered), stopped, go_on, interrupted); });
  std::array<std::uint64_t, 1> interruptions = {interrupted != StopReason::none ? 1U : 0U};
  context.communicator.all_reduce_sum(interruptions);
  return interruptions[0] == 0;
}

// A disk that has no room for the checkpoint may have some for the rules, and the other way round.
/// Writes the last checkpoint, the rules and the end of the log. Rank 0's.
/// @param interrupted  why go_on has said no
void Job::State::write_end(StopReason reason, PartialState gathered, Clock::time_point stopped,
                           const std::function<bool(const std::string&)>& go_on,
                           const StopReason& interrupted) {
  const io::Folder& run = settings.lock->folder();
  settings.lock->require_held();
  root->writer->wait();
  const RunState state = root->assembler->assemble(std::move(gathered));
  if (from.was_finished) context.report(Severity::info, "the run is finished already");
  std::optional<Error> unsaved;
  if (!from.was_finished) {
    unsaved = write_error(run, [&] { root->writer->write(state, stopped); });
  }
  if (reason == StopReason::stop_file) remove_stop_file(run, context.report);
  JobOutcome outcome;
  const auto lost = write_error(run, [&] { outcome = root->task->write(state, go_on); });
  root->display.reset();
  if (interrupted == StopReason::stop_file) remove_stop_file(run, context.report);
  if (unsaved || lost) throw unwritten(unsaved, lost, root->writer->any(), settings.folder);
  report_end(state.header, experiment, interrupted != StopReason::none ? interrupted : reason,
             outcome, settings.folder, *settings.log, context.report);
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

/// What all ranks have to say; waits for those that come later.
JobVotes Job::State::vote(const StopSignals& signals) {
  JobVotes own{.signalled = signals.count() != 0 ? 1U : 0U};
  if (root) {
    own.reason = static_cast<std::uint64_t>(own_reason());
    own.checkpoint = checkpoint_due(archipelago.generation()) ? 1 : 0;
    own.progress = seconds_since(last_progress) >= 1 ? 1 : 0;
    own.next_look = next_look();
  }
  const Stopwatch watch(waited);
  return sum_of(own, context.communicator);
}

void Job::State::exchange() {
  const auto moves = archipelago.exchange();
  if (moves && machine().migration_log) {
    log_migration(archipelago.generation(), *moves, context.communicator, settings.log);
  }
}

StopReason Job::State::mine(const StopSignals& signals) {
  for (;;) {
    const JobVotes votes = vote(signals);
    if (from.was_finished || archipelago.generation() >= experiment.generations) {
      return StopReason::finished;
    }
    if (votes.stop_reason() != StopReason::none) return votes.stop_reason();
    if (votes.checkpoint != 0) checkpoint(Clock::now());
    if (votes.progress != 0) show_progress(false);
    polling.go_on(archipelago.generation());
    advance(static_cast<std::uint32_t>(votes.next_look));
    exchange();
  }
}

StopReason Job::State::mine_asynchronously(const StopSignals& signals) {
  if (from.was_finished) return StopReason::finished;
  const AsynchronousPhaseControl control{
      [&] { return own_reason(); },
      [&](std::uint32_t generation) { return checkpoint_due(generation); },
      [&](const Progress& progress) {
        if (seconds_since(last_progress) >= 1) show(progress, false);
      }};
  for (;;) {
    const PhaseEnd end = asynchronous_phase(
        archipelago, context.communicator, experiment.generations,
        [&] { return signals.count() != 0; }, control);
    if (end.reason != StopReason::none) return end.reason;
    checkpoint(end.told);
  }
}

}  // namespace atl
