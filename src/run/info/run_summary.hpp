// What is known of a run from its files.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "io/results/rule_file.hpp"
#include "io/run/checkpoint_store.hpp"
#include "src/config/experiment.hpp"
#include "src/run/info/job_history.hpp"

namespace atl {

struct RunSummary {
  std::string folder;  ///< as given
  RunConfiguration configuration;
  std::optional<std::string> owner;  ///< of a run that is worked on now (io::run_owner)
  std::vector<io::CheckpointFile> checkpoints;
  std::optional<RunStateHeader> checkpoint;  ///< header of the one to go on from
  JobHistory history;
  std::optional<std::vector<WrittenRule>> rules;
  std::optional<std::string> classifier;  ///< classifier.txt of a run that learns a list
  std::optional<std::size_t> list_rules;  ///< of this list, without the default
  bool rules_damaged = false;             ///< rules.json is there and cannot be read
  std::optional<std::vector<std::string>> collected_from;  ///< names of the runs, if it was
  std::string data;                                        ///< file that a new run would read

  bool running() const noexcept { return owner.has_value(); }
  bool finished() const noexcept { return checkpoint && checkpoint->finished; }
  /// There are checkpoints, and none can be read.
  bool damaged() const noexcept { return !checkpoint && !checkpoints.empty() && !unknown(); }
  /// Some could not be looked at, for want of something that the system lacks now.
  bool unknown() const noexcept {
    return std::any_of(checkpoints.begin(), checkpoints.end(),
                       [](const io::CheckpointFile& file) { return file.unknown; });
  }
  /// Has the last job that began ended by itself?
  bool ended() const noexcept;
  /// Was the last job told to stop? Then it may have been while the list was made.
  bool stopped() const noexcept;
  /// Of a job: the reason, "running", or "killed or lost".
  std::string end_of(const JobRecord& job) const;
  /// Are the rules those of the last checkpoint, made to their end?
  bool rules_are_final() const noexcept {
    return finished() && (rules || classifier) && ended() && !stopped();
  }
  /// The command to go on with, for a shell.
  std::string next() const;
};

/// Reads only; takes no lock, and a job that works on the run is not disturbed.
/// @throws MissingInput if the folder is no run; BadData for a damaged configuration or rules.json
RunSummary summarise_run(const std::string& folder);

}  // namespace atl
