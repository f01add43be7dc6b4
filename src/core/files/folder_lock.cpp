#include "src/core/files/folder_lock.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <condition_variable>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <signal.h>
#include <sstream>
#include <string_view>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include "src/core/error.hpp"
#include "src/core/files/atomic_file.hpp"
#include "src/core/files/descriptor.hpp"
#include "src/core/files/file_lock.hpp"

namespace atl::io {
namespace {

using Clock = std::chrono::steady_clock;

/// The owner of a folder, as its file "lock" says it: one "key value" a line.
struct Owner {
  std::string host, boot, job;
  std::string processes;  // the namespace in which the process has its number
  std::string started;    // when, in ticks since boot: another may get its number
  long process = 0;
};

std::string first_line(const std::string& path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  return line;
}

/// Empty if there is no such process, or it has ended and waits for its parent to take notice.
std::string start_of(long process) {
  // 17 (name) state parent ... ; the name may hold anything
  const std::string line = first_line("/proc/" + std::to_string(process) + "/stat");
  const auto name_end = line.rfind(')');
  if (name_end == std::string::npos) return "";
  std::istringstream fields(line.substr(name_end + 1));
  std::string field;
  fields >> field;
  if (field == "Z" || field == "X") return "";
  for (int number = 4; number <= 22; ++number) fields >> field;
  return field;
}

Owner this_process() {
  Owner owner;
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) == 0) owner.host = host.data();
  owner.boot = boot_id();
  std::error_code none;
  owner.processes = std::filesystem::read_symlink("/proc/self/ns/pid", none).string();
  if (const char* job = std::getenv("SLURM_JOB_ID"); job != nullptr) owner.job = printable(job);
  owner.process = ::getpid();
  owner.started = start_of(owner.process);
  return owner;
}

std::string to_text(const Owner& owner) {
  return "host " + owner.host + "\nboot " + owner.boot + "\nprocesses " + owner.processes +
         "\nprocess " + std::to_string(owner.process) + "\nstarted " + owner.started + "\njob " +
         owner.job + "\n";
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
    if (key == "processes") owner.processes = value;
    if (key == "started") owner.started = value;
    if (key == "process") owner.process = std::strtol(value.c_str(), nullptr, 10);
  }
  return owner;
}

std::string describe(const Owner& owner) {
  if (owner.process == 0) return "another process";
  return "process " + std::to_string(owner.process) + " on " + printable(owner.host) +
         (owner.job.empty() ? "" : " (job " + printable(owner.job) + ")");
}

/// Are both of one kernel, which ends the locks of processes that end?
bool same_kernel(const Owner& owner, const Owner& self) {
  return !owner.boot.empty() && owner.boot == self.boot;
}

/// Can its process be seen from here?
bool is_here(const Owner& owner, const Owner& self) {
  return same_kernel(owner, self) && owner.processes == self.processes && owner.process > 0;
}

bool alive_here(const Owner& owner, const Owner& self) {
  if (owner.process == self.process && owner.started == self.started) return false;
  return !owner.started.empty() && start_of(owner.process) == owner.started;
}

// The file system has no locks: what is in the file alone must do.
bool cannot_lock(int error_number) {
  return error_number == ENOLCK || error_number == ENOSYS || error_number == EOPNOTSUPP ||
         error_number == EINVAL;
}

/// Are there locks of others, and none of them a job's?
bool is_locked_by_readers(int descriptor) {
  struct flock whole {};
  whole.l_type = F_RDLCK;  // which goes with those of readers
  whole.l_whence = SEEK_SET;
  return ::fcntl(descriptor, F_OFD_GETLK, &whole) == 0 && whole.l_type == F_UNLCK;
}

constexpr std::size_t longest_owner = 4096;

std::string read_all(int descriptor) {
  std::string text(longest_owner, '\0');
  const ssize_t got = ::pread(descriptor, text.data(), text.size(), 0);
  text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  return text;
}

/// Is it what a lock may hold? Nothing; lines that begin with our keys, the last perhaps cut short;
/// or, after a power failure, zeros.
bool is_lock_text(std::string text) {
  constexpr std::array<std::string_view, 6> keys = {"host ",    "boot ",    "processes ",
                                                    "process ", "started ", "job "};
  if (text.size() >= longest_owner) return false;
  std::erase(text, '\0');
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    const bool cut = in.eof();
    if (std::none_of(keys.begin(), keys.end(), [&](std::string_view key) {
          return line.starts_with(key) || (cut && key.starts_with(line));
        })) {
      return false;
    }
  }
  return true;
}

void write_all(const std::string& path, int descriptor, const std::string& text) {
  if (::ftruncate(descriptor, 0) != 0) throw_write_error(path, errno);
  const ssize_t written = ::pwrite(descriptor, text.data(), text.size(), 0);
  if (written == static_cast<ssize_t>(text.size())) return;
  const int error_number = written < 0 ? errno : ENOSPC;
  (void)!::ftruncate(descriptor, 0);  // half an owner would be taken for somebody else
  throw_write_error(path, error_number);
}

/// The content of the file now, and its time; network file systems ask their server when it is
/// opened.
struct Sight {
  bool read = false;
  std::string text;
  timespec time{};
  friend bool operator==(const Sight& a, const Sight& b) {
    return a.read == b.read && a.text == b.text && a.time.tv_sec == b.time.tv_sec &&
           a.time.tv_nsec == b.time.tv_nsec;
  }
};

Sight look_at(const Folder& folder) {
  Sight sight;
  try {
    const Descriptor file = folder.open_to_read(lock_name);
    struct stat status {};
    if (::fstat(file.get(), &status) != 0) return sight;
    sight.text = read_all(file.get());
    sight.time = status.st_mtim;
    sight.read = true;
  } catch (const MissingInput&) {  // none, or nothing to be read
  }
  return sight;
}

/// Does the file change within the time? Then whoever is named in it lives.
bool gives_sign(const Folder& folder, const LockOptions& options) {
  const Sight first = look_at(folder);
  const auto end = Clock::now() + options.patience;
  while (Clock::now() < end) {
    std::this_thread::sleep_for(options.beat / 5);
    if (look_at(folder) != first) return true;
  }
  return false;
}

}  // namespace

struct FolderLock::State {
  State(Folder the_folder, const LockOptions& options)
      : folder(std::move(the_folder)), between_beats(options.beat), what(options.what) {}
  ~State() {
    {
      const std::scoped_lock lock(mutex);
      ended = true;
    }
    wake.notify_all();
    if (heart.joinable()) heart.join();
  }

  void beat() {
    std::unique_lock lock(mutex);
    // One that fails is no harm: whoever could take the folder over cannot write either.
    while (!wake.wait_for(lock, between_beats, [&] { return ended; }))
      ::futimens(file.get(), nullptr);
  }

  Folder folder;
  Descriptor file;
  std::chrono::milliseconds between_beats;
  std::string what;
  std::string own;  // what the file holds as long as this process holds the folder
  std::mutex mutex;
  std::condition_variable wake;
  bool ended = false;
  std::thread heart;
};

FolderLock::FolderLock(Folder locked_folder, const LockOptions& options)
    : state_(std::make_unique<State>(std::move(locked_folder), options)) {
  const Folder& run = state_->folder;
  const std::string& folder = run.path();
  state_->file = run.open_in_place(lock_name);
  const int descriptor = state_->file.get();
  const std::string path = run.path_of(lock_name);

  const Owner self = this_process();
  const int error_number = try_to_lock(descriptor);
  const bool locked = error_number == 0;
  // Whoever may read the file can lock it for reading, and be no job: what is in it decides then.
  const bool refused = is_held_by_another(error_number) && !is_locked_by_readers(descriptor);
  const bool unusable = cannot_lock(error_number) || is_held_by_another(error_number);
  if (!locked && !refused && !unusable) throw_write_error(path, error_number);
  const std::string text = read_all(descriptor);
  if (!is_lock_text(text)) {
    throw CannotCreate(path, "is no lock of atoll, which would overwrite it; move it away");
  }
  const Owner owner = parse_owner(text);
  const std::string in_use = folder + ": in use by " + describe(owner);
  if (refused) {
    // The server of a network file system may keep the locks of a host that never comes back.
    const bool seen = owner.process == 0 || same_kernel(owner, self);
    throw UsageError(in_use + (seen ? "" : "; if that host is gone for good, delete " + path));
  }
  const auto lives = [&] {
    if (text.empty()) return false;
    // A lock may hold on one host alone, so it says nothing of others.
    if (locked && same_kernel(owner, self)) return false;
    if (is_here(owner, self)) return alive_here(owner, self);
    if (options.report) {
      options.report(Severity::info, folder + ": was in use by " + describe(owner) +
                                         "; waiting whether it gives a sign of life");
    }
    return gives_sign(run, options);
  };
  if (lives()) throw UsageError(in_use);
  state_->own = to_text(self);
  write_all(path, descriptor, state_->own);
  const bool alone =
      locked && (text.empty() ? is_of_this_host_alone(descriptor) : same_kernel(owner, self));
  if (!alone) {
    // If two came at once, perhaps with a lock on each host, both have written by then: the last
    // has it.
    std::this_thread::sleep_for(options.beat / 10);
    const Sight now = look_at(run);
    if (now.read && now.text != state_->own) {
      throw UsageError(folder + ": in use by " + describe(parse_owner(now.text)));
    }
  }
  state_->heart = std::thread([state = state_.get()] { state->beat(); });
}

const Folder& FolderLock::folder() const noexcept {
  return state_->folder;
}

bool FolderLock::is_removed() const {
  struct stat held {
  }, there{};
  if (::fstat(state_->file.get(), &held) != 0) return false;
  if (::fstatat(folder().descriptor(), lock_name, &there, AT_SYMLINK_NOFOLLOW) != 0) {
    return errno == ENOENT || !folder().is_in_place();
  }
  return held.st_dev != there.st_dev || held.st_ino != there.st_ino;
}

bool FolderLock::is_taken_over() const {
  const Sight now = look_at(folder());
  return now.read && now.text != state_->own;
}

void FolderLock::require_held() const {
  folder().require_in_place();
  const Sight now = look_at(folder());
  // A file that cannot be read is an outage, of which whoever writes hears.
  if (!now.read || now.text == state_->own) return;
  throw UsageError(folder().path() + ": was taken over by " +
                   (now.text.empty() ? "another process" : describe(parse_owner(now.text))) +
                   " while this one gave no sign of life; it ends and leaves " + state_->what +
                   " alone");
}

std::optional<std::string> folder_owner(const std::string& folder, const LockOptions& options) {
  Descriptor file;
  try {
    file = Folder(folder, Access::read).open_to_read(lock_name);
  } catch (const MissingInput&) {
    return {};
  }
  struct stat status {};
  const std::string text = read_all(file.get());
  if (::fstat(file.get(), &status) != 0 || !is_lock_text(text)) return {};
  const Owner owner = parse_owner(text);
  struct flock whole {};
  whole.l_type = F_RDLCK;
  whole.l_whence = SEEK_SET;
  const bool known = ::fcntl(file.get(), F_OFD_GETLK, &whole) == 0;
  bool held = known && whole.l_type != F_UNLCK;
  const Owner self = this_process();
  // A lock says all of its own kernel's processes.
  if (!held && !text.empty() && !(known && same_kernel(owner, self))) {
    const auto age = std::chrono::system_clock::now() -
                     std::chrono::system_clock::from_time_t(status.st_mtim.tv_sec);
    // A file server's clock may be ahead, but not by much.
    constexpr std::chrono::minutes ahead{10};
    held = is_here(owner, self) ? alive_here(owner, self) : age < options.patience && age > -ahead;
  }
  if (!held) return {};
  return describe(owner);
}

// The file stays: removing it could take away one that another process has just locked.
FolderLock::~FolderLock() {
  const int descriptor = state_->file.get();
  if (read_all(descriptor) != state_->own) return;
  if (::ftruncate(descriptor, 0) != 0) return;  // a stale owner is found out later
}

}  // namespace atl::io
