// Runs a task on the ranks of a job.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "src/core/context.hpp"
#include "src/core/error.hpp"
#include "src/work/job_limits.hpp"
#include "src/work/task.hpp"

namespace atl {

struct TaskJob {
  /// OUT is a file that appears as a whole, with a checkpoint in OUT.checkpoint until then; or
  /// standard output, without checkpoints.
  bool to_file = false;
  std::string output;        ///< of a file, its path
  bool force = false;        ///< replaces the checkpoint of another task
  unsigned threads = 0;      ///< of each rank; 0: its share of the cores that it may run on
  std::uint64_t memory = 0;  ///< bytes that each rank may take; 0: a share of what is free
  std::string what_takes_memory = "the work takes";  ///< begins the line where memory is short
  std::string less_memory;  ///< "a greater support or ": what would take less than --memory-limit
  JobLimits limits;
};

/// Goes on from the checkpoint beside the output if there is one, shares out the pieces of each
/// round, saves now and then, stops when it is told to, and writes the output. The same bytes on
/// any number of ranks and threads, and across stops. Collective; blocking.
/// @return done, or stopped if a checkpoint is left to go on from
/// @throws UsageError if another process works on this output, or the checkpoint is of another
///         task; CannotCreate if what lies in its place is not ours; what the task throws
ExitStatus run_task(Task& task, const TaskJob& job, const Context& context);

}  // namespace atl
