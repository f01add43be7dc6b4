// The end of a job: its last checkpoint, repeats, and what it writes.
#include <array>
#include <utility>

#include "io/run/run_files.hpp"
#include "islands/archipelago/run_sections.hpp"
#include "src/core/agreement.hpp"
#include "src/core/stopwatch.hpp"
#include "src/core/time_line.hpp"
#include "src/run/loop/job_report.hpp"
#include "src/run/loop/job_state.hpp"
#include "src/run/loop/repeats.hpp"

namespace atl {
namespace {

/// Time for the list of a run that a signal has stopped on its way: who sent it may kill the job
/// soon.
constexpr double most_list_seconds = 5;

}  // namespace

/// @return why the job has ended: what keeps repeats or the list from their end is a reason, too
StopReason Job::State::finish(StopReason reason, const StopSignals& signals) {
  Ending end{.reason = reason};
  {
    const TimedPhase phase("checkpoints");
    if (checkpoints) checkpoints->finish();
    on_root(context.communicator, [&] {
      settings.lock->require_held();
      root->writer->wait();
    });
  }
  const bool repeats = experiment.repeat != Repeats::none;
  const bool repeats_left = repeats && !from.was_finished;
  const bool went_on = from.was_searched;
  if (!from.was_finished) end.unsaved = save_last(reason, end.came, !repeats_left);
  if (!repeats || !ends_run(reason)) return write_end(end, signals);

  if (repeats_left && !(went_on && has_list())) {
    end.stage = Ending::Stage::before_repeats;
    const StopReason written = write_end(end, signals);
    if (!ends_run(written)) return written;
  }
  const StopReason repeated = repeat(signals);
  if (!ends_run(repeated)) {
    end.reason = repeated;
    end.stage = Ending::Stage::in_repeat;
    return write_end(end, signals);
  }
  end.stage = Ending::Stage::last;
  if (repeats_left) end.unsaved = save_last(reason, Clock::now(), true);
  return write_end(end, signals);
}

/// Collective.
bool Job::State::has_list() {
  return !text_of_root(context.communicator, [&] {
            return list_is_written(settings) ? "written" : "";
          }).empty();
}

/// Saves the state at the end of the search. Collective.
/// @param whole  nothing is left to be searched after it
/// @return on rank 0 what failed
std::optional<Error> Job::State::save_last(StopReason reason, Clock::time_point stopped,
                                           bool whole) {
  if (!checkpoints) return std::nullopt;
  const TimedPhase phase("checkpoints");
  PartialState own = part(reason);
  if (root && !whole && ends_run(reason)) {
    own.state.header.finished = false;
    own.state.sections.push_back(ended_search_section());
  }
  PendingCheckpoint last = checkpoints->collect(std::move(own), stopped);
  if (!root) return std::nullopt;
  from.seconds_mined = last.own.header.seconds;
  from.generation = last.own.header.generation;
  from.was_searched = ends_run(reason);
  return write_error(settings.lock->folder(), [&] { root->writer->write(std::move(last)); });
}

/// Makes the same search with other seeds. Collective.
StopReason Job::State::repeat(const StopSignals& signals) {
  if (root) root->display.reset();
  const StopReason end = go_on_with_repeats(context, settings, parts, signals);
  if (root) root->display.emplace();
  return end;
}

/// Writes the results and the end of the log. Collective.
/// @return why the job has ended
StopReason Job::State::write_end(const Ending& end, const StopSignals& signals) {
  const TimedPhase phase("results");
  const Results* const merged = checkpoints ? archipelago.merged_results() : nullptr;
  std::optional<RunState> found;
  if (checkpoints) found = archipelago.found(merged);
  // One that has stopped the search does not stop the list at once.
  const int known = end.reason == StopReason::signal ? signals.count() : 0;
  StopReason interrupted = StopReason::none;
  const auto go_on = [&](const std::string& line) {
    root->show(line);
    const bool told = settings.of_user().lock->folder().has(io::run_names::stop);
    const bool hurries =
        end.reason == StopReason::signal && seconds_since(end.came) > most_list_seconds;
    if (signals.count() > known || hurries) {
      interrupted = StopReason::signal;
    } else if (told && end.reason != StopReason::stop_file) {
      interrupted = StopReason::stop_file;
    }
    return interrupted == StopReason::none;
  };
  parts.tables.lead(context.communicator, [&] {
    write_results(end, {std::move(*found), *merged}, go_on, interrupted);
  });
  std::array<std::uint64_t, 1> why = {static_cast<std::uint64_t>(interrupted)};  // rank 0's alone
  context.communicator.all_reduce_sum(why);
  return why[0] != 0 ? static_cast<StopReason>(why[0]) : end.reason;
}

// A disk that has no room for the checkpoint may have some for the rules, and the other way round.
/// Writes the rules and the end of the log. Rank 0's.
/// @param interrupted  why go_on has said no
void Job::State::write_results(const Ending& end, Found found,
                               const std::function<bool(const std::string&)>& go_on,
                               const StopReason& interrupted) {
  const io::Folder& run = settings.lock->folder();
  found.state.header.generation = from.generation;
  found.state.header.seconds = from.seconds_mined;
  if (from.was_finished) context.report(Severity::info, "the run is finished already");
  const io::Folder& told = settings.of_user().lock->folder();
  if (end.reason == StopReason::stop_file) remove_stop_file(told, context.report);
  const bool repeats_follow = end.stage == Ending::Stage::before_repeats;
  JobOutcome outcome;
  const auto lost = write_error(run, [&] {
    if (end.stage == Ending::Stage::in_repeat) {
      outcome = root->task->written();
      return;
    }
    const History history{root->writer->rows(), history_of(found.state).last};
    outcome = root->task->write(found.state, history.rows(), repeats_follow, go_on);
  });
  root->display.reset();
  if (interrupted == StopReason::stop_file) remove_stop_file(told, context.report);
  if (end.unsaved || lost)
    throw unwritten(end.unsaved, lost, root->writer->any(), settings.of_user().folder);
  if (repeats_follow && interrupted == StopReason::none) {
    return announce_repeats(outcome, experiment, context.report);
  }
  log_timings(*settings.log);
  report_end(found.state.header, experiment,
             interrupted != StopReason::none ? interrupted : end.reason,
             root->gains_with(from.generation, found.results), outcome, settings.folder,
             *settings.log, context.report);
}

}  // namespace atl
