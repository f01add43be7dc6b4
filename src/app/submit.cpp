#include <algorithm>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "src/app/commands.hpp"
#include "src/app/experiment_file.hpp"
#include "src/batch/job_files.hpp"
#include "src/batch/job_script.hpp"
#include "src/core/text/near_names.hpp"
#include "src/core/text/shell_word.hpp"
#include "src/work/standard_streams.hpp"

namespace atl {
namespace {

constexpr const char* footer_before =
    "A file with all there is:\n"
    "\n"
    "  data = \"covtype.h5\"           # paths are relative to the folder of this file\n"
    "  run = \"runs/covtype\"          # RUN; with [array] the folder of its runs\n";

constexpr const char* footer_behind =
    "  islands = 16\n"
    "  [job]                         # what Slurm is asked for; all of it may be left out\n"
    "  nodes = 2                     # [1]\n"
    "  gpus-per-node = 4             # or \"a100:4\" [none]\n"
    "  ranks-per-node = 4            # [gpus-per-node, or 1]\n"
    "  cpus-per-task = 8             # cores of a rank\n"
    "  memory = \"64G\"                # of a node\n"
    "  time = \"24:00:00\"             # of one job; the run takes as many jobs as it needs\n"
    "  stop-before = \"3m\"            # ranks stop so long before the end [3m, or time / 4]\n"
    "  partition = \"gpu\"             # and account, qos, constraint, name [that of run]\n"
    "  modules = [\"gcc/12\", \"openmpi\"]\n"
    "  setup = [\"export X=1\"]        # lines of shell\n"
    "  container = \"atoll.sif\"       # run atoll in it, with Apptainer\n"
    "  program = \"bin/atoll\"         # [this one; in a container atoll]\n"
    "  launcher = \"srun\"             # or \"mpirun\", Open MPI's [srun]\n"
    "  launcher-options = [\"--mpi=pmix_v4\"]\n"
    "  requeue = true                # false: each job submits the next [true]\n"
    "  max-jobs = 100                # of a run, in a row [100]\n"
    "  array-limit = 4               # runs of an array at a time [any number]\n"
    "  sbatch = [\"--mail-type=END\"]  # further options of sbatch\n"
    "  [array]                       # a run for every combination, RUN/seed-1_min-support-1%\n"
    "  seed = \"1-4\"                  # or [1, 2, 3, 4]\n"
    "  min-support = [\"1%\", \"2%\"]\n"
    "\n"
    "The script, the configuration of each run and what jobs print are in RUN.job/. Submitted "
    "again,\n"
    "runs go on where they stopped; those that are finished are left out.";

/// With a line for each command that can be submitted.
std::string submit_footer(std::span<const Submittable> commands) {
  std::string sections;
  for (const Submittable& command : commands) {
    const std::string name = "[" + command.batch.section + "]";
    std::string words = "atoll";
    for (const std::string& word : command.batch.words) words += " " + word;
    sections += fmt::format("  {:<30}# {}options of {}{}\n", sections.empty() ? name : "",
                            sections.empty() ? "" : "or " + name + ": ", words,
                            command.batch.makes == Made::file ? "; run is its OUT then" : "");
  }
  return footer_before + sections + footer_behind;
}

struct SubmitOptions {
  std::string file;
  bool dry_run = false;
};

std::string this_program() {
  return std::filesystem::read_symlink("/proc/self/exe").string();
}

void tell(const Submission& submission, const std::vector<std::size_t>& tasks,
          const std::string& job, const Report& report) {
  const JobFolder folder(submission);
  const auto say = [&](const std::string& text) { report(Severity::info, text); };
  const std::string& run = submission.runs[tasks.front()].folder;
  if (submission.array) {
    say("submitted job " + job + " of " + counted(tasks.size(), "run") + " in " + submission.run);
    say("output: " + folder.output(job, static_cast<int>(tasks.front())) + " and so on");
  } else {
    say("submitted job " + job);
    say("output: " + folder.output(job, -1));
  }
  if (submission.makes_files()) {
    say("follow it: squeue -j " + job + "; it is done once " + shell_word(run) + " is there");
    say("stop it: scancel " + job + "; go on: submit again");
    return;
  }
  say("follow it: squeue -j " + job + "; once it has begun: atoll watch " + shell_word(run));
  say("stop it: touch " + shell_word(run + "/stop") + ", or scancel " + job +
      "; go on: submit again");
}

/// What a script would do, in six lines.
void summarise(const Submission& submission, const std::vector<std::size_t>& tasks,
               const Report& report) {
  const auto say = [&](const char* what, const std::string& text) {
    report(Severity::info, fmt::format("{:<8}{}", what, text));
  };
  const JobRequest& job = submission.job;
  const auto or_of_site = [](const std::string& text) {
    return text.empty() ? "the site's" : text;
  };
  std::string words = "atoll";
  for (const std::string& word : submission.command.words) words += " " + word;
  say("runs", words + ", " + counted(tasks.size(), "run") + ", first " +
                  printable(submission.runs[tasks.front()].folder, 200));
  say("data", printable(submission.data, 200));
  say("ranks", fmt::format("{} on {}, {} each, GPUs of a node: {}", counted(job.ranks(), "rank"),
                           counted(job.nodes, "node"), counted(job.ranks_per_node, "rank"),
                           job.gpus_per_node.empty() ? "none" : job.gpus_per_node));
  say("cores",
      fmt::format("{} of a rank, memory of a node: {}",
                  job.cpus_per_task == 0 ? "the site's" : std::to_string(job.cpus_per_task),
                  or_of_site(job.memory)));
  say("time", fmt::format("{} a job, at most {} of a run, partition: {}", or_of_site(job.time),
                          counted(job.max_jobs, "job"), or_of_site(job.partition)));
  say("files", printable(JobFolder(submission).script, 200) + " and others beside it");
}

ExitStatus submit(const SubmitOptions& options, std::span<const Submittable> commands,
                  const Context& context) {
  const Submission submission = read_experiment_file(options.file, commands, context.report);
  const std::vector<std::size_t> tasks = unfinished_runs(submission);
  if (tasks.empty()) {
    context.report(Severity::info, submission.run + ": finished already; nothing is submitted");
    return ExitStatus::done;
  }
  if (tasks.size() < submission.runs.size()) {
    context.report(Severity::info, "finished already and left out: " +
                                       counted(submission.runs.size() - tasks.size(), "run"));
  }
  const std::string script = job_script(submission, tasks, this_program());
  if (options.dry_run) {
    write_stdout_exactly(script);
    summarise(submission, tasks, context.report);
    return ExitStatus::done;
  }
  write_job_files(submission, tasks, script);
  const std::string job = sbatch(script, JobFolder(submission).script);
  tell(submission, tasks, job, context.report);
  write_stdout(job + "\n");
  return ExitStatus::done;
}

}  // namespace

std::vector<Submittable> submittable_among(std::span<const Command> commands) {
  std::vector<Submittable> found;
  for (const Command& command : commands) {
    if (command.submittable) found.push_back(*command.submittable);
  }
  std::stable_partition(found.begin(), found.end(),
                        [](const Submittable& of) { return of.batch.makes == Made::run; });
  return found;
}

Command add_submit(CLI::App& program, std::span<const Command> commands) {
  auto options = std::make_shared<SubmitOptions>();
  const std::vector<Submittable> known = submittable_among(commands);
  std::string sections;
  for (const Submittable& of : known) sections += ", [" + of.batch.section + "]";
  CLI::App* command = program.add_subcommand(
      "submit", "Run a command as batch jobs under Slurm, as many as it takes");
  command
      ->add_option("EXPERIMENT", options->file,
                   "TOML file: data, run, one of" + sections.substr(1) + ", and [job], [array]")
      ->required()
      ->type_name("");
  command->add_flag(
      "--dry-run", options->dry_run,
      "print the batch script, and a summary to standard error; write and submit nothing");
  command->footer(submit_footer(known));
  return {command,
          [options, known](const Context& context) { return submit(*options, known, context); }};
}

}  // namespace atl
