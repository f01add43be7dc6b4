// What a job says and leaves at its end.
#pragma once

#include <optional>
#include <string>

#include "io/run/run_folder.hpp"
#include "src/config/experiment.hpp"
#include "src/core/error.hpp"
#include "src/core/report.hpp"
#include "src/core/run_state.hpp"
#include "src/run/log/run_log.hpp"
#include "src/run/loop/job_task.hpp"
#include "src/work/stop_reason.hpp"

namespace atl {

/// @param checkpoint, results  why they could not be written, at least one of them
/// @param any  is there a checkpoint to go on from?
Error unwritten(const std::optional<Error>& checkpoint, const std::optional<Error>& results,
                bool any, const std::string& folder);

/// A file `stop` that stays would end the next job, too.
void remove_stop_file(const io::Folder& run, const Report& report);

/// The last record of the log of a job that fails.
void log_failure(const Error& error, RunLog& log);

/// The last record of the log, and how to go on.
void report_end(const RunStateHeader& header, const Experiment& experiment, StopReason reason,
                const JobOutcome& outcome, const std::string& folder, RunLog& log,
                const Report& report);

}  // namespace atl
