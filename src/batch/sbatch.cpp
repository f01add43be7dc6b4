#include "src/batch/sbatch.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <string_view>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/run/run_folder.hpp"
#include "src/core/error.hpp"
#include "src/core/files/descriptor.hpp"

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

}  // namespace atl
