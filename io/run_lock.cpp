#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <signal.h>
#include <sstream>
#include <unistd.h>

#include "io/atomic_file.hpp"
#include "io/run_folder.hpp"
#include "src/core/error.hpp"

namespace atl::io {
namespace {

/// Who holds a RUN, as RUN/lock says it: one "key value" a line.
struct Owner {
  std::string host, boot, job;
  long process = 0;
};

std::string first_line(const char* path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  return line;
}

Owner this_process() {
  Owner owner;
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) == 0) owner.host = host.data();
  owner.boot = first_line("/proc/sys/kernel/random/boot_id");
  if (const char* job = std::getenv("SLURM_JOB_ID"); job != nullptr) owner.job = job;
  owner.process = ::getpid();
  return owner;
}

std::string to_text(const Owner& owner) {
  return "host " + owner.host + "\nboot " + owner.boot + "\nprocess " +
         std::to_string(owner.process) + "\njob " + owner.job + "\n";
}

Owner parse_owner(const std::string& text) {
  Owner owner;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    const auto space = line.find(' ');
    const std::string key = line.substr(0, space);
    const std::string value = space == std::string::npos ? "" : line.substr(space + 1);
    if (key == "host") owner.host = value;
    if (key == "boot") owner.boot = value;
    if (key == "job") owner.job = value;
    if (key == "process") owner.process = std::strtol(value.c_str(), nullptr, 10);
  }
  return owner;
}

std::string describe(const Owner& owner) {
  if (owner.process == 0) return "another process";
  return "process " + std::to_string(owner.process) + " on " + printable(owner.host) +
         (owner.job.empty() ? "" : " (job " + printable(owner.job) + ")");
}

// Of another host's or an earlier boot's process nothing can be known, so it counts as gone.
bool alive(const Owner& owner, const Owner& self) {
  if (owner.process <= 0 || owner.process == self.process) return false;
  if (owner.host != self.host || owner.boot != self.boot) return false;
  return ::kill(static_cast<pid_t>(owner.process), 0) == 0 || errno == EPERM;
}

// The file system has no locks: the owner file alone must do.
bool cannot_lock(int error_number) {
  return error_number == ENOLCK || error_number == ENOSYS || error_number == EOPNOTSUPP ||
         error_number == EINVAL;
}

std::string read_all(int descriptor) {
  std::string text(1024, '\0');
  const ssize_t got = ::pread(descriptor, text.data(), text.size(), 0);
  text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  return text;
}

void write_all(const std::string& path, int descriptor, const std::string& text) {
  if (::ftruncate(descriptor, 0) != 0) throw_write_error(path, errno);
  const ssize_t written = ::pwrite(descriptor, text.data(), text.size(), 0);
  if (written != static_cast<ssize_t>(text.size()))
    throw_write_error(path, written < 0 ? errno : ENOSPC);
}

struct Descriptor {
  explicit Descriptor(int number) : descriptor(number) {}
  ~Descriptor() { ::close(descriptor); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int descriptor;
};

}  // namespace

struct RunLock::State : Descriptor {
  using Descriptor::Descriptor;
};

RunLock::RunLock(const std::string& folder) {
  const std::string path = folder + "/lock";
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) throw_write_error(path, errno);
  state_ = std::make_unique<State>(descriptor);

  const Owner self = this_process();
  const Owner owner = parse_owner(read_all(descriptor));
  // Unlike F_SETLK's, this lock ends with the descriptor, not with any descriptor of the file.
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  const int error_number = ::fcntl(descriptor, F_OFD_SETLK, &whole) == 0 ? 0 : errno;
  const bool held = error_number == EACCES || error_number == EAGAIN ||
                    (cannot_lock(error_number) && alive(owner, self));
  if (error_number != 0 && !held && !cannot_lock(error_number))
    throw_write_error(path, error_number);
  if (held) throw UsageError(folder + ": in use by " + describe(owner));
  write_all(path, descriptor, to_text(self));
}

std::optional<std::string> run_owner(const std::string& folder) {
  const int descriptor = ::open((folder + "/lock").c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return {};
  const Descriptor closes(descriptor);
  const Owner owner = parse_owner(read_all(descriptor));
  struct flock whole {};
  whole.l_type = F_RDLCK;
  whole.l_whence = SEEK_SET;
  const bool known = ::fcntl(descriptor, F_OFD_GETLK, &whole) == 0;
  const bool held = known ? whole.l_type != F_UNLCK : alive(owner, this_process());
  if (!held) return {};
  return describe(owner);
}

// The file stays: removing it could take away one that another process has just locked.
RunLock::~RunLock() {
  if (::ftruncate(state_->descriptor, 0) != 0) return;  // a stale owner is found out later
}

}  // namespace atl::io
