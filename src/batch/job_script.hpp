// The batch script of a submission.
#pragma once

#include <string>
#include <vector>

#include "src/batch/submission.hpp"

namespace atl {

/// Where a submission has its script, its runs' configurations and what its jobs print: beside RUN.
struct JobFolder {
  explicit JobFolder(const Submission& submission);
  std::string path, script;
  /// Options of a run, for `mine --config`.
  std::string configuration(const SubmittedRun& run) const;
  /// A line for each job of a run that has begun.
  std::string jobs(const SubmittedRun& run) const;
  /// What a job prints; an array's has a number for each run, -1 for none.
  std::string output(const std::string& job, int task) const;
};

/// A script for sbatch. Submitted once, it goes on with each run until that is finished.
/// @param tasks    indices of the runs to work on, ascending; [0] where there is no array
/// @param program  what starts atoll, where [job] does not say so
std::string job_script(const Submission& submission, const std::vector<std::size_t>& tasks,
                       const std::string& program);

}  // namespace atl
