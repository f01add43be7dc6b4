#include "src/app/job_options.hpp"

#include <CLI/CLI.hpp>

#include "src/app/machine_options.hpp"
#include "src/app/output_options.hpp"
#include "src/config/experiment.hpp"
#include "src/config/option_values.hpp"
#include "src/core/agreement.hpp"
#include "src/core/error.hpp"
#include "src/core/files/input_file.hpp"

namespace atl {
namespace {

constexpr const char* job_group = "Job (any of these may change when it goes on)";
constexpr const char* every = "--checkpoint-every";
constexpr const char* stop = "--stop-after";
constexpr const char* memory = "--memory-limit";

std::string text_of(const CLI::App& command, const char* name) {
  return command.get_option(name)->as<std::string>();
}

}  // namespace

void add_job_options(CLI::App& command) {
  command.add_option(every, "time between checkpoints: 60s, 15m [60s]")
      ->type_name("DUR")
      ->group(job_group);
  command
      .add_option(stop,
                  "stops this job with a checkpoint, exit status 75; the same command goes on")
      ->type_name("DUR")
      ->group(job_group);
  add_memory_limit_option(command,
                          "of each rank: 500M, 4G; without it its share of 9/10 of what is free");
}

void refuse_checkpoints(const CLI::App& command, const std::string& why) {
  for (const char* const name : {every, stop}) {
    if (command.count(name) != 0) throw UsageError(std::string(name) + ": " + why);
  }
}

void refuse_job_options(const CLI::App& command, const std::string& why) {
  refuse_checkpoints(command, why);
  if (command.count(memory) != 0) throw UsageError(std::string(memory) + ": " + why);
}

TaskJob task_job(const CLI::App& command, const std::string& output, bool force) {
  if (command.count("--output") != 0 && output.empty()) {
    throw UsageError("--output: the file has no name");
  }
  TaskJob job;
  job.to_file = !output.empty() && output != standard_output;
  job.output = output;
  job.force = force;
  Machine machine;
  apply_counting_options(command, machine);
  job.threads = machine.threads;
  for (const char* const name : {every, stop}) {
    if (command.count(name) == 0) continue;
    if (!job.to_file) {
      throw UsageError(std::string(name) +
                       ": there are no checkpoints of standard output; give -o OUT");
    }
    (name == every ? job.limits.checkpoint_every : job.limits.stop_after) =
        duration_option(name, text_of(command, name));
  }
  job.memory = memory_limit(command).value_or(job.memory);
  return job;
}

void expect_output(const TaskJob& job, const std::string& data, Communicator& ranks) {
  on_root(ranks, [&] {
    if (!job.to_file) return;
    refuse_existing(job.output, job.force);
    io::refuse_to_overwrite(data, job.output);
  });
}

}  // namespace atl
