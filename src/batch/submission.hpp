// What is submitted: data, runs, and how their jobs go on.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "src/batch/job_request.hpp"
#include "src/config/experiment.hpp"

namespace atl {

/// What a command makes, which says how the next job goes on: a RUN by `atoll resume`, a file,
/// which appears when all is done, by the same command.
enum class Made { run, file };

/// What batch jobs have to know of the command that they run.
struct BatchCommand {
  std::string section;             ///< of an experiment file: "train"
  std::vector<std::string> words;  ///< that begin it: "classify", "train"
  Made makes = Made::run;
  std::string print = {};  ///< what prints a RUN's results, "classify rules"
};

/// One run of an array, or the only one.
struct SubmittedRun {
  std::string name;                ///< "seed-1_min-support-1%"; "experiment" where nothing varies
  std::string folder;              ///< RUN, absolute; or the file
  RunConfiguration configuration;  ///< of a RUN
  std::string file_options;        ///< of a file instead: TOML
  std::string machine_options;     ///< those that `resume` has, too, and are given, without blanks
};

struct Submission {
  std::string file;              ///< absolute
  std::string folder;            ///< that it lies in; all its paths are relative to it
  std::string data;              ///< absolute
  std::string run;               ///< absolute; of an array the folder of its runs
  std::set<std::string> inputs;  ///< absolute: files beside the data that options name
  JobRequest job;
  std::vector<std::string> text_options;  ///< that say how a text of data is to be read
  BatchCommand command;
  bool array = false;
  std::vector<SubmittedRun> runs;  ///< every combination, the last key of [array] varying fastest

  bool makes_files() const noexcept { return command.makes == Made::file; }
};

/// What a container is to see of the host: the folders of the data, of RUN, of the file, and of
/// inputs that lie in none of these.
std::vector<std::string> bound_folders(const Submission& submission);

/// What a run's jobs read their options from, `--config`: of the data, too, so that it tells runs
/// apart.
std::string configuration_text(const Submission& submission, const SubmittedRun& run);

}  // namespace atl
