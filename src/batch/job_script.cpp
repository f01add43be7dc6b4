#include "src/batch/job_script.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "src/batch/job_template.hpp"
#include "src/core/text/shell_word.hpp"

namespace atl {
namespace {

/// "0-3,5" of ascending numbers.
std::string ranges(const std::vector<std::size_t>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    if (!text.empty()) text += ',';
    text += std::to_string(numbers[i]);
    if (last > i) text += fmt::format("-{}", numbers[last]);
    i = last + 1;
  }
  return text;
}

/// The text as it stands in a line of #SBATCH, which no shell reads: Slurm takes off quotes and
/// backslashes, and a comment after #. The text has no control characters.
std::string directive_value(const std::string& text) {
  const bool plain = std::all_of(text.begin(), text.end(), [](char c) {
    return c > ' ' && c < 0x7f && std::string_view("#'\"\\").find(c) == std::string_view::npos;
  });
  if (plain) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

/// An option of sbatch and its value, which may hold anything: it stays the value of this option.
std::string directive(const std::string& option) {
  const std::size_t end = std::min(option.find_first_of("= "), option.size());
  const std::string name = directive_value(option.substr(0, end));
  if (end == option.size()) return name;
  return name + option[end] + directive_value(option.substr(end + 1));
}

/// Slurm takes % for the beginning of a pattern.
std::string without_patterns(const std::string& path) {
  std::string text;
  for (const char c : path) text += c == '%' ? "%%" : std::string(1, c);
  return text;
}

std::string directives(const Submission& submission, const std::vector<std::size_t>& tasks) {
  const JobRequest& job = submission.job;
  std::string text;
  const auto add = [&](const std::string& option, const std::string& value) {
    if (!value.empty()) text += "#SBATCH --" + option + "=" + directive_value(value) + "\n";
  };
  const auto number = [](std::uint32_t n) { return n == 0 ? "" : std::to_string(n); };
  add("job-name", job.name);
  add("partition", job.partition);
  add("account", job.account);
  add("qos", job.qos);
  add("constraint", job.constraint);
  add("nodes", number(job.nodes));
  add("ntasks-per-node", number(job.ranks_per_node));
  add("cpus-per-task", number(job.cpus_per_task));
  add("gpus-per-node", job.gpus_per_node);
  add("mem", job.memory);
  add("time", job.time);
  if (submission.array) {
    add("array", ranges(tasks) + (job.array_limit == 0 ? "" : fmt::format("%{}", job.array_limit)));
  }
  add("output",
      without_patterns(JobFolder(submission).path) + (submission.array ? "/%A_%a.out" : "/%j.out"));
  add("chdir", submission.folder);
  text += "#SBATCH --open-mode=append\n";
  text += job.requeue ? "#SBATCH --requeue\n" : "#SBATCH --no-requeue\n";
  add("signal", "B:USR1@" + number(job.stop_before));
  for (const std::string& option : job.sbatch) text += "#SBATCH " + directive(option) + "\n";
  return text;
}

/// The words that start atoll in one process.
std::vector<std::string> program_words(const Submission& submission, const std::string& program) {
  const JobRequest& job = submission.job;
  if (job.container.empty()) return {job.program.empty() ? program : job.program};
  std::vector<std::string> words = {"apptainer", "exec"};
  if (job.gpus > 0) words.emplace_back("--nv");
  for (const std::string& folder : bound_folders(submission)) words.push_back("--bind=" + folder);
  words.push_back(job.container);
  words.push_back(job.program.empty() ? "atoll" : job.program);
  return words;
}

/// The words before these that start all ranks.
std::vector<std::string> launcher_words(const JobRequest& job) {
  std::vector<std::string> words;
  if (job.launcher == Launcher::srun) {
    // --wait: what one rank that died leaves waiting ends; others end together.
    words = {"srun", "--mpi=pmix", "--wait=60"};
    // Since Slurm 22.05 srun does not take this over from sbatch.
    if (job.cpus_per_task > 0) {
      words.push_back(fmt::format("--cpus-per-task={}", job.cpus_per_task));
      words.emplace_back("--cpu-bind=cores");
    }
    if (job.gpus > 0 && job.gpus == job.ranks_per_node) words.emplace_back("--gpus-per-task=1");
  } else {
    words = {"mpirun", "-n", std::to_string(job.ranks()), "--map-by"};
    words.push_back(fmt::format("ppr:{}:node", job.ranks_per_node) +
                    (job.cpus_per_task > 0 ? fmt::format(":PE={}", job.cpus_per_task) : ""));
    words.emplace_back("--bind-to");
    words.emplace_back(job.cpus_per_task > 0 ? "core" : "none");
  }
  words.insert(words.end(), job.launcher_options.begin(), job.launcher_options.end());
  return words;
}

std::string shell_words(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += ' ';
    text += shell_word(word);
  }
  return text;
}

std::string settings(const Submission& submission, const std::string& program) {
  const JobRequest& job = submission.job;
  const JobFolder folder(submission);
  std::vector<std::string> runs, options, configurations, jobs;
  for (const SubmittedRun& run : submission.runs) {
    runs.push_back(run.folder);
    options.push_back(run.machine_options);
    configurations.push_back(folder.configuration(run));
    jobs.push_back(folder.jobs(run));
  }
  std::vector<std::string> begin = submission.command.words;
  begin.insert(begin.end(), submission.text_options.begin(), submission.text_options.end());
  const auto list = [](const char* name, const std::vector<std::string>& words) {
    std::string text = std::string(name) + "=(";
    for (const std::string& word : words) {
      text.append(words.size() == 1 ? "" : "\n  ").append(shell_word(word));
    }
    return text + ")\n";
  };
  return "script=" + shell_word(folder.script) + "\ndata=" + shell_word(submission.data) + "\n" +
         "begin=(" + shell_words(begin) +
         ")\nmakes=" + (submission.makes_files() ? "file" : "run") +
         "\nprint=" + shell_word(submission.command.print) + "\n" + list("runs", runs) +
         list("configurations", configurations) + list("job_lists", jobs) +
         list("machine_options", options) + "atoll=(" +
         shell_words(program_words(submission, program)) + ")\nlauncher=(" +
         shell_words(launcher_words(job)) + ")\n" +
         fmt::format("stop_before={}\nrequeue={}\nmax_jobs={}\n", job.stop_before,
                     job.requeue ? "yes" : "no", job.max_jobs);
}

std::string setup(const JobRequest& job) {
  std::string text;
  if (!job.modules.empty()) {
    text += "module load " + shell_words(job.modules) + " || exit\n";
  }
  for (const std::string& line : job.setup) text += line + "\n";
  return text;
}

void replace(std::string& text, const std::string& mark, const std::string& by) {
  text.replace(text.find(mark), mark.size(), by);
}

}  // namespace

JobFolder::JobFolder(const Submission& submission)
    : path(submission.run + ".job"), script(path + "/job.sh") {}

std::string JobFolder::configuration(const SubmittedRun& run) const {
  return path + "/" + run.name + ".toml";
}

std::string JobFolder::jobs(const SubmittedRun& run) const {
  return path + "/" + run.name + ".jobs";
}

std::string JobFolder::output(const std::string& job, int task) const {
  return path + "/" + job + (task < 0 ? "" : fmt::format("_{}", task)) + ".out";
}

std::string job_script(const Submission& submission, const std::vector<std::size_t>& tasks,
                       const std::string& program) {
  std::string text(job_template());
  // Replaces from the end on: what is put in may hold anything.
  replace(text, "@SETUP@\n", setup(submission.job));
  replace(text, "@SETTINGS@\n", settings(submission, program));
  replace(text, "@DIRECTIVES@\n", directives(submission, tasks));
  // Modules are defined by the files that a login reads.
  replace(text, "@SHELL@", submission.job.modules.empty() ? "/bin/bash" : "/bin/bash -l");
  return text;
}

}  // namespace atl
