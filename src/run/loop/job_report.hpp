// The words and files of a job when it begins and at its end.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "io/run/run_folder.hpp"
#include "src/config/experiment.hpp"
#include "src/core/context.hpp"
#include "src/core/error.hpp"
#include "src/core/report.hpp"
#include "src/core/run_state.hpp"
#include "src/run/job_settings.hpp"
#include "src/run/log/run_log.hpp"
#include "src/run/loop/job_task.hpp"
#include "src/run/loop/mining_parts.hpp"
#include "src/work/job_limits.hpp"

namespace atl {

/// The first record of the job in the log.
/// @param job  its number in the run, from 1
/// @param generation  from which it goes on
/// @param dependence_seconds  that it took to look at the data
void log_start(const MiningParts& parts, const JobSettings& settings, const Context& context,
               std::uint32_t job, std::uint32_t generation, double dependence_seconds);

/// @param checkpoint, results  why they could not be written, at least one of them
/// @param any  is there a checkpoint to go on from?
Error unwritten(const std::optional<Error>& checkpoint, const std::optional<Error>& results,
                bool any, const std::string& folder);

/// A file `stop` that stays would end the next job, too.
void remove_stop_file(const io::Folder& run, const Report& report);

/// The last record of the log of a job that fails.
/// Writes a record `timings` of this process's phases so far (src/core/time_line.hpp).
void log_timings(RunLog& log);

void log_failure(const Error& error, RunLog& log);

/// Says at the end of a search that its rules are there and that repeats follow.
void announce_repeats(const JobOutcome& outcome, const Experiment& experiment,
                      const Report& report);

/// The last record of the log, and how to go on.
/// @param gains  of a run that has patience
void report_end(const RunStateHeader& header, const Experiment& experiment, StopReason reason,
                const std::optional<GainWatch>& gains, const JobOutcome& outcome,
                const std::string& folder, RunLog& log, const Report& report);

}  // namespace atl
