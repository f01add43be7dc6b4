// The file that `submit` takes: data, run, options of the command that is submitted, what the
// scheduler is asked for, and what varies.
#pragma once

#include <string>
#include <vector>

#include "src/batch/job_request.hpp"
#include "src/config/experiment.hpp"

namespace atl {

/// What is submitted; the name of the section that has its options.
enum class SubmittedCommand { mine, train, itemsets };

/// One run of an array, or the only one.
struct SubmittedRun {
  std::string name;    ///< "seed-1_min-support-1%"; "experiment" where nothing varies
  std::string folder;  ///< RUN, absolute; of itemsets the file OUT
  RunConfiguration configuration;
  std::string itemset_options;  ///< of itemsets instead: TOML
  std::string machine_options;  ///< those that `resume` has, too, and are given, without blanks
};

struct Submission {
  std::string file;    ///< absolute
  std::string folder;  ///< that it lies in; all its paths are relative to it
  std::string data;    ///< absolute
  std::string run;     ///< absolute; of an array the folder of its runs
  JobRequest job;
  std::vector<std::string> text_options;  ///< that say how a text of data is to be read
  SubmittedCommand command = SubmittedCommand::mine;
  bool array = false;
  std::vector<SubmittedRun> runs;  ///< every combination, the last key of [array] varying fastest
};

/// What a container is to see of the host: the folders of the data, of RUN and of the file.
std::vector<std::string> bound_folders(const Submission& submission);

/// Reads and checks all of it: options as their command does, for each run, also against the data
/// where these are a dataset file.
/// @param report  if any, gets a warning for each former name of a preset, once for all runs
/// @throws BadData with file, line and column; MissingInput
Submission read_experiment_file(const std::string& path, const Report& report = {});

}  // namespace atl
