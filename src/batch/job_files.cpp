#include "src/batch/job_files.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <spawn.h>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/run/checkpoint_store.hpp"
#include "io/run/run_files.hpp"
#include "io/run/run_folder.hpp"
#include "islands/algorithms.hpp"
#include "src/batch/job_script.hpp"
#include "src/config/experiment_settings.hpp"
#include "src/core/error.hpp"
#include "src/core/files/descriptor.hpp"
#include "src/core/files/input_file.hpp"
#include "src/run/log/run_log.hpp"

namespace atl {
namespace {

Error unavailable(const std::string& message) {
  return Error(ExitStatus::unavailable, message);
}

/// The words of sbatch, in one line.
std::string what_it_said(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  for (char& c : text) c = c == '\n' ? ' ' : c;
  return printable(text, 400);
}

io::Descriptor memory_file(const char* name) {
  io::Descriptor file(::memfd_create(name, MFD_CLOEXEC));
  if (!file.is_open()) throw IoError("sbatch", std::strerror(errno));
  return file;
}

std::string content_of(const io::Descriptor& file) {
  return io::read_file("/proc/self/fd/" + std::to_string(file.get()));
}

struct FileActions {
  FileActions() { ::posix_spawn_file_actions_init(&actions); }
  ~FileActions() { ::posix_spawn_file_actions_destroy(&actions); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  posix_spawn_file_actions_t actions;
};

namespace fs = std::filesystem;

/// Results are written last, and the log tells of their end, or that a stop cut them off. So
/// jobs/slurm.sh judges, too.
bool has_results(const io::Folder& run) {
  std::ifstream log = open_log(run);
  bool ended = false;
  for_each_log_line(log, [&](std::string_view line, std::uint64_t) {
    if (line.starts_with(R"({"event":"start",)")) ended = false;
    if (line.starts_with(R"({"event":"end",)"))
      ended = line.find(R"("reason":"finished")") != line.npos ||
              line.find(R"("reason":"time limit")") != line.npos;
  });
  return ended;
}

/// Is the file there, and made by a job of the same submission? @throws UsageError if it is not
bool is_made(const SubmittedRun& run, const Submission& submission) {
  std::error_code ignored;
  if (fs::is_directory(run.folder, ignored)) throw CannotCreate(run.folder, "is a folder");
  io::refuse_to_overwrite(submission.data, run.folder);
  for (const std::string& input : submission.inputs) {
    io::refuse_to_overwrite(input, run.folder);
  }
  io::refuse_file_of_run(run.folder);
  if (!fs::exists(run.folder, ignored)) return false;
  const JobFolder names(submission);
  const std::string of = names.configuration(run);
  const bool has_begun = fs::exists(names.jobs(run), ignored) && fs::exists(of, ignored) &&
                         io::read_file(of) == configuration_text(submission, run);
  if (has_begun) return true;
  throw UsageError(run.folder + ": is there already, and no job of this experiment has made it: " +
                   "choose another file, or remove it");
}

/// What is there of a run already. @throws UsageError if it is another one or in use
bool is_finished(const SubmittedRun& run, const Submission& submission) {
  if (submission.makes_files()) return is_made(run, submission);
  const io::RunPaths paths(run.folder);
  std::error_code ignored;
  if (!fs::exists(paths.config, ignored)) {
    io::expect_free(run.folder, false);
    return false;
  }
  const io::Folder folder = io::find_run(run.folder);
  const auto there = parse_run_configuration(io::read_file(folder, io::run_names::config),
                                             paths.config, algorithms());
  const Experiment& experiment = run.configuration.experiment;
  if (there.experiment.hash() != experiment.hash()) {
    throw UsageError(run.folder + ": holds a run with " +
                     differing_options(experiment, there.experiment) +
                     ", which cannot be changed: choose another folder, or remove it");
  }
  if (there.machine.data != run.configuration.machine.data) {
    throw UsageError(run.folder + ": holds a run of other data, " +
                     printable(there.machine.data, 200) + ": choose another folder; if they have " +
                     "moved, change `data` in " + paths.config);
  }
  if (const auto owner = io::folder_owner(run.folder)) {
    throw UsageError(run.folder + ": in use by " + *owner);
  }
  const auto quiet = [](Severity, const std::string&) {};
  const auto header =
      io::CheckpointStore(folder, 1, quiet).latest_header([&](const RunStateHeader& of) {
        return of.experiment == there.experiment.hash();
      });
  return header && header->finished && has_results(folder);
}

/// As long as it lives, files are made that others may not write to, whatever the umask is.
class RightsOfOthers {
 public:
  RightsOfOthers() : before_(::umask(S_IWGRP | S_IWOTH)) { ::umask(before_ | S_IWGRP | S_IWOTH); }
  ~RightsOfOthers() { ::umask(before_); }
  RightsOfOthers(const RightsOfOthers&) = delete;
  RightsOfOthers& operator=(const RightsOfOthers&) = delete;

 private:
  mode_t before_;
};

}  // namespace

std::string sbatch(const std::string& script, const std::string& path) {
  const io::Descriptor in = memory_file("in"), out = memory_file("out"), err = memory_file("err");
  for (std::string_view left = script; !left.empty();) {
    const ssize_t written = ::write(in.get(), left.data(), left.size());
    if (written < 0) throw IoError("sbatch", std::strerror(errno));
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  if (::lseek(in.get(), 0, SEEK_SET) != 0) throw IoError("sbatch", std::strerror(errno));
  FileActions files;
  ::posix_spawn_file_actions_adddup2(&files.actions, in.get(), 0);
  ::posix_spawn_file_actions_adddup2(&files.actions, out.get(), 1);
  ::posix_spawn_file_actions_adddup2(&files.actions, err.get(), 2);
  std::string program = "sbatch", option = "--parsable";
  const std::array<char*, 3> words = {program.data(), option.data(), nullptr};
  pid_t process = 0;
  const int error =
      ::posix_spawnp(&process, program.c_str(), &files.actions, nullptr, words.data(), environ);
  if (error == ENOENT) {
    throw unavailable("sbatch: not found; submit from a host of a cluster that runs Slurm");
  }
  if (error != 0) throw unavailable(std::string("sbatch: ") + std::strerror(error));
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  const std::string said = content_of(err);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    throw unavailable("sbatch refused " + printable(path, 200) + ": " + what_it_said(said));
  }
  // The number; behind a semicolon the cluster, where there are several.
  const std::string answer = content_of(out);
  const std::string job = answer.substr(0, answer.find_first_not_of("0123456789"));
  if (job.empty()) throw unavailable("sbatch gave no number: " + what_it_said(answer + said));
  return job;
}

std::vector<std::size_t> unfinished_runs(const Submission& submission) {
  std::vector<std::size_t> tasks;
  for (std::size_t i = 0; i < submission.runs.size(); ++i) {
    if (!is_finished(submission.runs[i], submission)) tasks.push_back(i);
  }
  return tasks;
}

void write_job_files(const Submission& submission, const std::vector<std::size_t>& tasks,
                     const std::string& script) {
  const JobFolder names(submission);
  const fs::path path(names.path);
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  if (submission.makes_files() && submission.array) {
    fs::create_directories(submission.run, error);
  }
  if (error) throw CannotCreate(path.parent_path().string(), error.message());
  const auto folder = io::Folder(path.parent_path().string(), io::Access::write)
                          .make_private_folder(path.filename().string());
  const RightsOfOthers kept_from_writing;
  const auto name_of = [](const std::string& file) { return fs::path(file).filename().string(); };
  for (const std::size_t task : tasks) {
    const SubmittedRun& run = submission.runs[task];
    io::write_file(folder, name_of(names.configuration(run)), configuration_text(submission, run));
    folder.remove(name_of(names.jobs(run)));
  }
  io::write_file(folder, name_of(names.script), script);
}

}  // namespace atl
