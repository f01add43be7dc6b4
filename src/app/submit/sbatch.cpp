#include "src/app/submit/sbatch.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/run_folder.hpp"
#include "src/app/temporary_folder.hpp"
#include "src/core/error.hpp"

namespace atl {

namespace {

Error unavailable(const std::string& message) {
  return Error(ExitStatus::unavailable, message);
}

/// What it has said, in one line.
std::string what_it_said(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  for (char& c : text) c = c == '\n' ? ' ' : c;
  return printable(text, 400);
}

struct FileActions {
  FileActions() { ::posix_spawn_file_actions_init(&actions); }
  ~FileActions() { ::posix_spawn_file_actions_destroy(&actions); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  void open(int descriptor, const std::string& path, int flags) {
    ::posix_spawn_file_actions_addopen(&actions, descriptor, path.c_str(), flags, 0600);
  }
  posix_spawn_file_actions_t actions;
};

}  // namespace

std::string sbatch(const std::string& script) {
  const TemporaryFolder folder;
  const std::string out = folder.path() + "/out", err = folder.path() + "/err";
  FileActions files;
  files.open(0, "/dev/null", O_RDONLY);
  files.open(1, out, O_WRONLY | O_CREAT);
  files.open(2, err, O_WRONLY | O_CREAT);
  std::string program = "sbatch", option = "--parsable", argument = script;
  const std::array<char*, 4> words = {program.data(), option.data(), argument.data(), nullptr};
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
  const std::string said = io::read_file(err);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    throw unavailable("sbatch refused " + printable(script, 200) + ": " + what_it_said(said));
  }
  // The number; behind a semicolon the cluster, where there are several.
  const std::string answer = io::read_file(out);
  const std::string job = answer.substr(0, answer.find_first_not_of("0123456789"));
  if (job.empty()) throw unavailable("sbatch gave no number: " + what_it_said(answer + said));
  return job;
}

}  // namespace atl
