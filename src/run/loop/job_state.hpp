// What a job has on a rank from its beginning to its end. For the files of Job alone.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "islands/algorithms.hpp"
#include "islands/archipelago/archipelago.hpp"
#include "islands/archipelago/search.hpp"
#include "src/core/error.hpp"
#include "src/core/option_value.hpp"
#include "src/core/time_line.hpp"
#include "src/measures/measures.hpp"
#include "src/run/checkpoint/checkpoint_parts.hpp"
#include "src/run/checkpoint/starting_state.hpp"
#include "src/run/loop/job.hpp"
#include "src/run/loop/root_parts.hpp"
#include "src/run/pace/job_schedule.hpp"
#include "src/run/pace/looks.hpp"

namespace atl {

struct Job::State {
  using Clock = std::chrono::steady_clock;

  /// @param shared  null: the job has parts of its own
  State(const Context& the_context, const JobSettings& the_settings, MiningParts* shared)
      : context(the_context),
        settings(the_settings),
        own_parts(shared != nullptr ? nullptr : std::make_unique<MiningParts>(context, settings)),
        parts(shared != nullptr ? *shared : *own_parts) {
    // Refused now, not when results are written.
    option_value("--measures", [&] {
      return measures_named(experiment.measures, experiment.aim.concludes_mean());
    });
    if (context.communicator.rank() == 0) root.emplace(parts, *search, settings, context.report);
  }

  const Machine& machine() const { return settings.configuration.machine; }

  void begin();
  StartingState restore_or_initialise();
  Progress own_progress() const;
  bool checkpoint_due(std::uint32_t generation) const;
  JobVotes vote(const StopSignals& signals, std::uint32_t at);
  PartialState part(StopReason reason);
  void checkpoint(Clock::time_point stopped);
  void show_progress(bool last);
  void show(const Progress& progress, bool last);
  void log_migrations();
  bool gains_no_more(std::uint32_t generation);
  StopReason mine(const StopSignals& signals);
  StopReason mine_asynchronously(const StopSignals& signals);
  StopReason finish(StopReason reason, const StopSignals& signals);
  /// How the search, or what comes after it, has come to its end.
  struct Ending {
    enum class Stage : std::uint8_t { before_repeats, in_repeat, last };

    StopReason reason;
    Stage stage = Stage::last;
    Clock::time_point came = Clock::now();
    std::optional<Error> unsaved = {};  // on rank 0: why the last checkpoint could not be written
  };
  std::optional<Error> save_last(StopReason reason, Clock::time_point stopped, bool whole);
  bool has_list();
  StopReason repeat(const StopSignals& signals);
  StopReason write_end(const Ending& end, const StopSignals& signals);
  struct Found {
    RunState state;  ///< results, and the last rows of history
    const Results& results;
  };
  void write_results(const Ending& end, Found found,
                     const std::function<bool(const std::string&)>& go_on,
                     const StopReason& interrupted);

  const Context& context;
  const JobSettings& settings;
  const Experiment& experiment = settings.configuration.experiment;
  const std::uint32_t patience = static_cast<std::uint32_t>(experiment.patience);
  const std::unique_ptr<MiningParts> own_parts;
  MiningParts& parts;
  const std::unique_ptr<Search> search = in_phase(
      "samples", [this] { return make_search(experiment, parts.grammars, *parts.resident); });
  Archipelago archipelago = in_phase("samples", [this] {
    return Archipelago(experiment, *search, parts.dataset().fingerprint(), parts.pool,
                       parts.teams.lane(), parts.reducer.get());
  });
  std::optional<RootParts> root;  // on rank 0
  const RunView view{settings, context.communicator};
  std::optional<CheckpointParts> checkpoints;              // in the first lane
  Looks looks{archipelago, context.communicator, [this] {  // of synchronous migration
                if (checkpoints) checkpoints->poll();
              }};

  StartingPoint from;
  std::optional<JobSchedule> schedule;
  Clock::time_point last_progress;
};

}  // namespace atl
