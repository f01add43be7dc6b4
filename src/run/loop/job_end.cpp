// The end of a job: its last checkpoint, repeats, and what it writes.
#include <array>
#include <utility>

#include "io/run/run_files.hpp"
#include "islands/archipelago/run_sections.hpp"
#include "src/core/agreement.hpp"
#include "src/core/stopwatch.hpp"
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
  Clock::time_point stopped = Clock::now();
  if (checkpoints) checkpoints->finish();
  on_root(context.communicator, [&] {
    settings.lock->require_held();
    root->writer->wait();
  });
  const bool repeats = experiment.repeat != Repeats::none && !from.was_finished;
  std::optional<Error> unsaved;
  if (!from.was_finished) unsaved = save_last(reason, stopped, !repeats);
  if (experiment.repeat != Repeats::none && ends_run(reason)) {
    const StopReason end = repeat(signals);
    if (!ends_run(end)) {
      reason = end;
      stopped = Clock::now();
    } else if (repeats) {
      unsaved = save_last(reason, stopped, true);
    }
  }
  std::optional<RunState> found;
  if (checkpoints) found = archipelago.found();
  // One that has stopped the search does not stop the list at once.
  const int known = reason == StopReason::signal ? signals.count() : 0;
  StopReason interrupted = StopReason::none;
  const auto go_on = [&](const std::string& line) {
    root->show(line);
    const bool told = settings.of_user().lock->folder().has(io::run_names::stop);
    const bool hurries = reason == StopReason::signal && seconds_since(stopped) > most_list_seconds;
    if (signals.count() > known || hurries) {
      interrupted = StopReason::signal;
    } else if (told && reason != StopReason::stop_file) {
      interrupted = StopReason::stop_file;
    }
    return interrupted == StopReason::none;
  };
  parts.tables.lead(context.communicator,
                    [&] { write_end(reason, unsaved, std::move(*found), go_on, interrupted); });
  std::array<std::uint64_t, 1> why = {static_cast<std::uint64_t>(interrupted)};  // rank 0's alone
  context.communicator.all_reduce_sum(why);
  return why[0] != 0 ? static_cast<StopReason>(why[0]) : reason;
}

/// Saves the state at the end of the search. Collective.
/// @param whole  nothing is left to be searched after it
/// @return on rank 0 what failed
std::optional<Error> Job::State::save_last(StopReason reason, Clock::time_point stopped,
                                           bool whole) {
  if (!checkpoints) return std::nullopt;
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

// A disk that has no room for the checkpoint may have some for the rules, and the other way round.
/// Writes the rules and the end of the log. Rank 0's.
/// @param unsaved  why the last checkpoint could not be written
/// @param found  results, and the last rows of history
/// @param interrupted  why go_on has said no
void Job::State::write_end(StopReason reason, const std::optional<Error>& unsaved, RunState found,
                           const std::function<bool(const std::string&)>& go_on,
                           const StopReason& interrupted) {
  const io::Folder& run = settings.lock->folder();
  found.header.generation = from.generation;
  found.header.seconds = from.seconds_mined;
  if (from.was_finished) context.report(Severity::info, "the run is finished already");
  const io::Folder& told = settings.of_user().lock->folder();
  if (reason == StopReason::stop_file) remove_stop_file(told, context.report);
  JobOutcome outcome;
  const auto lost = write_error(run, [&] {
    const History history{root->writer->rows(), history_of(found).last};
    outcome = root->task->write(found, history.rows(), go_on);
  });
  root->display.reset();
  if (interrupted == StopReason::stop_file) remove_stop_file(told, context.report);
  if (unsaved || lost)
    throw unwritten(unsaved, lost, root->writer->any(), settings.of_user().folder);
  report_end(found.header, experiment, interrupted != StopReason::none ? interrupted : reason,
             root->gains_with(found), outcome, settings.folder, *settings.log, context.report);
}

}  // namespace atl
