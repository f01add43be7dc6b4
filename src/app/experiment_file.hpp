// The file that `submit` takes: data, run, options of the command that is submitted, what the
// scheduler is asked for, and what varies.
#pragma once

#include <span>
#include <string>

#include "src/app/submittable.hpp"
#include "src/batch/submission.hpp"
#include "src/core/report.hpp"

namespace atl {

/// Reads and checks all of it: options as their command does, for each run, also against the data
/// where these are a dataset file.
/// @param commands  that may be submitted, not none; the first is meant where no section names one
/// @param report  if any, gets a warning for each former name of a preset, once for all runs
/// @throws BadData with file, line and column; MissingInput
Submission read_experiment_file(const std::string& path, std::span<const Submittable> commands,
                                const Report& report = {});

}  // namespace atl
