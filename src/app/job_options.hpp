// Options of commands that run tasks.
#pragma once

#include <string>

#include "src/work/run_task.hpp"

namespace CLI {
class App;
}

namespace atl {

/// How often the job saves, how long it may run, and how much memory it may take.
void add_job_options(CLI::App& command);
/// Refuses those that are about checkpoints. @param why  "there are none ..."  @throws UsageError
void refuse_checkpoints(const CLI::App& command, const std::string& why);
/// Refuses all of them, where no task is run. @throws UsageError
void refuse_job_options(const CLI::App& command, const std::string& why);

/// With --threads of the command. @throws UsageError
TaskJob task_job(const CLI::App& command, const std::string& output, bool force);
/// Refuses an output file that is there, unless it may be replaced, or that is the data, before
/// anything is read. Collective. @throws UsageError
void expect_output(const TaskJob& job, const std::string& data, Communicator& ranks);

}  // namespace atl
