#include "src/run/loop/job.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "io/run/run_files.hpp"
#include "io/run/run_folder.hpp"
#include "islands/archipelago/run_sections.hpp"
#include "src/core/agreement.hpp"
#include "src/core/stopwatch.hpp"
#include "src/core/text/shell_word.hpp"
#include "src/core/time_line.hpp"
#include "src/measures/measures.hpp"
#include "src/results/written/holdout.hpp"
#include "src/run/checkpoint/checkpoint_parts.hpp"
#include "src/run/checkpoint/starting_state.hpp"
#include "src/run/log/run_log.hpp"
#include "src/run/loop/cluster_warnings.hpp"
#include "src/run/loop/job_report.hpp"
#include "src/run/loop/job_state.hpp"
#include "src/run/loop/repeats.hpp"
#include "src/run/pace/asynchronous_phase.hpp"
#include "src/run/pace/job_progress.hpp"

namespace atl {
Job::Job(const Context& context, const JobSettings& settings)
    : state_(std::make_unique<State>(context, settings, nullptr)) {}
Job::Job(const Context& context, const JobSettings& settings, MiningParts& parts)
    : state_(std::make_unique<State>(context, settings, &parts)) {}
Job::~Job() = default;

ExitStatus Job::run() {
  const StopSignals signals;
  return ends_run(run(signals)) ? ExitStatus::done : ExitStatus::stopped;
}

// The life of a job: begin, mine until something ends it, finish.
StopReason Job::run(const StopSignals& signals) {
  State& job = *state_;
  Communicator& ranks = job.context.communicator;
  ranks.barrier();  // the log's "start" says that every rank heeds signals
  job.begin();
  ranks.barrier();
  on_root(ranks, [&] {
    if (job.settings.on_begun) job.settings.on_begun();
  });
  try {
    const bool asynchronous = job.experiment.migration == Migration::asynchronous;
    const StopReason reason = in_phase("search", [&] {
      const StopReason why = asynchronous ? job.mine_asynchronously(signals) : job.mine(signals);
      const PhaseTimes times = job.looks.own_progress().times;
      for (const Phase& phase : phases) time_line().add(phase.name, times.*phase.seconds);
      return why;
    });
    job.show_progress(true);
    return job.finish(reason, signals);
  } catch (const Error& error) {
    if (job.root) log_failure(error, *job.settings.log);
    const bool agreed = dynamic_cast<const AgreedError*>(&error) != nullptr;
    if (agreed && job.checkpoints) job.checkpoints->settle();
    if (error.status() != ExitStatus::unavailable) throw;
    const std::string text = fmt::format("{}; go on from the last checkpoint: atoll resume {}",
                                         error.what(), shell_word(job.settings.of_user().folder));
    if (agreed) throw AgreedError(error.status(), text);
    throw Error(error.status(), text);
  }
}

void Job::State::begin() {
  double dependence_seconds = 0;
  on_root(context.communicator, [&] {
    const Stopwatch watch(dependence_seconds);
    const TimedPhase phase("dependences");
    root->task->look_at_data();
    if (machine().write_holdout.value_or(false)) {
      io::write_file(*settings.lock, io::run_names::holdout, row_numbers(parts.rows.bits));
    }
    root->display.emplace();
  });
  const Clock::time_point begun = Clock::now();
  StartingState state = restore_or_initialise();
  parts.tables.lead(context.communicator, [&] {
    const TimedPhase phase("first report");
    log_start(parts, settings, context, from.job, from.generation, dependence_seconds);
    if (from.job == 1) root->task->report_data(context.report);
    announce_migration(experiment, context.report);
    tell_of_small_tables(parts.teams, experiment.islands, parts.dataset().rows(),
                         parts.backend->has_device(), context.report);
  });
  parts.backend->report(parts.pool.threads(), context, settings.log);
  warn_of_cluster(settings, parts.pool.threads(), context);
  if (root) {
    std::vector<HistoryRow> unwritten;  // of a former version, whose checkpoints have it all
    if (state.own && has_history(*state.own)) unwritten = history_of(*state.own).kept;
    root->writer.emplace(root->store, std::move(state.history), std::move(unwritten),
                         *settings.lock, *settings.log, context.report, from.restored);
  }
  if (parts.teams.in_first_lane()) {
    checkpoints.emplace(parts.teams.lane(), view, root ? &*root->writer : nullptr);
  }
  schedule.emplace(settings, from, archipelago, begun);
  last_progress = Clock::now();
}

StartingState Job::State::restore_or_initialise() {
  StartingState state =
      state_to_go_on_from(root ? &root->store : nullptr, parts.dataset().fingerprint(), settings,
                          view, archipelago, parts.teams.size(), context);
  if (!state.own) {
    if (root) {  // the longest generation of a search for lists
      root->show(fmt::format("generation 0{}: the first {}", experiment.of_generations("/"),
                             experiment.kind().results));
    }
    const TimedPhase phase("search");
    looks.go_on(0);
    looks.end();
    return state;
  }
  on_all(context.communicator, [&] {
    archipelago.restore(*state.own);
    if (root) root->gains.load(*state.own);
  });
  const RunStateHeader& header = state.own->header;
  const bool searched = !text_of_root(context.communicator, [&] {
                           return has_ended_search(*state.own) ? "ended" : "";
                         }).empty();
  from = {.job = header.jobs + (header.finished ? 0U : 1U),
          .generation = header.generation,
          .own_generation = archipelago.generation(),
          .seconds_mined = header.seconds,
          .restored = true,
          .was_searched = header.finished || searched,
          .was_finished = header.finished};
  return state;
}

bool Job::State::checkpoint_due(std::uint32_t generation) const {
  if (root->writer->failed() || !settings.lock->folder().is_in_place())
    return true;  // ends the job
  return schedule->checkpoint_due(generation, checkpoints->waits() || root->writer->busy());
}

// Rank 0's is that of the whole, with its header.
PartialState Job::State::part(StopReason reason) {
  PartialState own = archipelago.part();
  RunStateHeader& header = own.state.header;
  if (experiment.migration == Migration::asynchronous) {
    const auto all =
        context.communicator.all_gather(std::as_bytes(std::span(&header.generation, 1)));
    for (const Bytes& bytes : all) {
      header.generation = std::min(header.generation, ByteReader(bytes).get<std::uint32_t>());
    }
  }
  if (!root) return own;
  header.seconds = from.was_searched ? from.seconds_mined : schedule->mined_seconds();
  header.jobs = from.job;
  header.finished = ends_run(reason);
  if (patience != 0) own.state.sections.push_back(root->gains.section());
  return own;
}

// Ranks come to it each at its time, and do not wait for each other.
/// @param stopped  when islands were told to stop
void Job::State::checkpoint(Clock::time_point stopped) {
  const auto expect_place = [&] {
    settings.lock->folder().require_in_place();
    root->writer->require_working();
  };
  if (experiment.migration == Migration::asynchronous) {
    on_root(context.communicator, expect_place);
  } else if (root) {
    expect_place();
  }
  if (!checkpoints) return;
  checkpoints->finish();  // the one before, if it is slower than they come
  PartialState own = part(StopReason::none);
  schedule->checkpoint_begins(own.state.header.generation);
  checkpoints->begin(std::move(own), stopped);
}

// Progress as it is told: once for what all lanes do.
Progress Job::State::own_progress() const {
  Progress own = looks.own_progress();
  if (!parts.teams.in_first_lane()) own.evaluated = 0;
  return own;
}

void Job::State::show_progress(bool last) {
  const auto all = gather_progress(own_progress(), context.communicator);
  if (all) show(*all, last);
}

void Job::State::show(const Progress& progress, bool last) {
  last_progress = Clock::now();
  const double seconds = schedule->seconds();
  if (!last) {
    root->show(
        progress_line(progress, experiment, seconds, from.generation, schedule->seconds_left()));
  }
  settings.log->write("progress",
                      progress_record(progress, experiment, seconds, context.communicator.size()));
}

JobVotes Job::State::vote(const StopSignals& signals, std::uint32_t at) {
  JobVotes own{.signalled = signals.count() != 0 ? 1U : 0U};
  if (root) {
    own.reason = static_cast<std::uint64_t>(schedule->reason_to_stop(at));
    own.checkpoint = checkpoint_due(at) ? 1 : 0;
    own.next_look = schedule->next_look(at, own.checkpoint != 0);
  }
  return own;
}

// All ranks must have come to the look unharmed.
void Job::State::log_migrations() {
  looks.end();
  if (!parts.teams.in_first_lane()) return;
  for (const MigrationMoves& migration : archipelago.take_moves()) {
    log_migration(migration.generation, migration.moves, parts.teams.lane(), settings.log);
  }
}

/// Is the search's patience at an end? All ranks have come to the generation.
bool Job::State::gains_no_more(std::uint32_t generation) {
  looks.end();
  const Results* const found = checkpoints ? archipelago.merged_results() : nullptr;
  const auto look = [&] { return root->gains_no_more(generation, *found) ? "over" : ""; };
  return !text_of_root(context.communicator, look).empty();
}

StopReason Job::State::mine(const StopSignals& signals) {
  std::uint32_t at = archipelago.generation();
  const bool logs = machine().migration_log;
  if (logs) archipelago.keep_moves();
  bool done = from.was_searched;
  const auto ended = [&] { return done || at >= experiment.generations; };
  const Looks::Steps steps{
      [&](const JobVotes& votes) { return ended() || votes.stop_reason() != StopReason::none; },
      [&](const JobVotes& votes) {
        if (votes.checkpoint != 0) checkpoint(Clock::now());
        const Progress own = own_progress();
        looks.report(own);
        if (!root || seconds_since(last_progress) < 1) return;
        if (const auto all = looks.heard(own)) show(*all, false);
      },
      [&](std::uint32_t next) { return vote(signals, next); }};
  for (;;) {
    const JobVotes votes = looks.look(steps);
    if (votes.failed != 0 || steps.ends(votes)) {
      looks.end();
      return ended() ? StopReason::finished : votes.stop_reason();
    }
    schedule->islands_go_on();
    at = static_cast<std::uint32_t>(votes.next_look);
    looks.go_on(at);
    if (logs) log_migrations();
    if (patience != 0 && at % generations_between_looks(patience) == 0) done = gains_no_more(at);
  }
}

StopReason Job::State::mine_asynchronously(const StopSignals& signals) {
  if (from.was_searched) return StopReason::finished;
  const AsynchronousPhaseControl control{
      [&] { return schedule->reason_to_stop(archipelago.generation()); },
      [&](std::uint32_t generation) { return checkpoint_due(generation); },
      [&](const Progress& progress) {
        if (seconds_since(last_progress) >= 1) show(progress, false);
      }};
  for (;;) {
    const PhaseEnd end = asynchronous_phase(
        archipelago, context.communicator, experiment.generations,
        {[&] { return signals.count() != 0; }, [&] { checkpoints->poll(); }}, control);
    if (end.reason != StopReason::none) return end.reason;
    checkpoint(end.told);
  }
}

}  // namespace atl
