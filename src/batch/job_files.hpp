// What is there of the runs of a submission, the files that their jobs need, and the way to Slurm.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "src/batch/submission.hpp"

namespace atl {

/// Hands a script to Slurm. By its content: under its path another could lie by then. Blocking.
/// @param path  of its file, for messages
/// @return number of the job
/// @throws Error of status 69 if there is no sbatch or it refuses
std::string sbatch(const std::string& script, const std::string& path);

/// Indices of the runs that are not finished. @throws UsageError if there is another run in a place
/// or one that is in use
std::vector<std::size_t> unfinished_runs(const Submission& submission);

/// All that a job needs, but for RUN, which is its own. What lies here is run as this user.
/// @param tasks   indices of the runs to work on
/// @param script  as job_script() makes it
void write_job_files(const Submission& submission, const std::vector<std::size_t>& tasks,
                     const std::string& script);

}  // namespace atl
