// The summary of a run from its files.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "io/results/rule_file.hpp"
#include "io/run/checkpoint_store.hpp"
#include "src/config/experiment.hpp"

namespace atl {

/// A job as the log records it. What a log does not tell is empty, 0 or nothing.
struct JobRecord {
  std::uint64_t job = 0;  ///< number, from 1
  std::string host;       ///< of rank 0
  std::uint64_t ranks = 0;
  std::uint64_t team = 1;     ///< ranks of a team
  std::uint64_t threads = 0;  ///< of each rank
  std::string backend;
  std::string began;                  ///< UTC, as log.jsonl has it
  std::optional<double> seconds;      ///< up to its end, or to its last sign of life
  std::uint64_t from = 0, to = 0;     ///< generations
  std::string end;                    ///< the reason; empty without one
  std::vector<std::string> warnings;  ///< those before it began included
  std::uint64_t rows = 0;             ///< that it mines
  std::uint64_t attributes = 0;
  bool of_transactions = false;  ///< the rows are some, the attributes items that were kept
};

/// Where a run stands that makes its search again with other seeds.
struct RepeatPlace {
  std::uint64_t number = 0;  ///< from 1
  std::uint64_t of = 0;
};

struct JobHistory {
  std::vector<JobRecord> jobs;        ///< in the order in which they began
  std::optional<RepeatPlace> repeat;  ///< the last that a job has begun or gone on with
  bool loading = false;               ///< one more was about to begin when the log ended
};

/// Takes what it can: lines that are none of ours, cut off or of another version are passed over.
/// @param log  content of log.jsonl
JobHistory job_history(std::istream& log);

struct RunSummary {
  std::string folder;  ///< as given
  RunConfiguration configuration;
  std::optional<std::string> owner;  ///< of a run that is worked on now (io::folder_owner)
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
  /// The repeat in which an unfinished run stands; nothing if it has not come to repeats.
  std::optional<RepeatPlace> repeat() const noexcept {
    return finished() ? std::nullopt : history.repeat;
  }
  /// Has the last job that began ended by itself?
  bool ended() const noexcept;
  /// Was the last job told to stop? Then it may have been while the list was made.
  bool stopped() const noexcept;
  /// The end of a job: the reason, "running", or "killed or lost".
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
