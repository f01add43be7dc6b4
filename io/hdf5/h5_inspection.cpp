#include "io/hdf5/h5_inspection.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <poll.h>
#include <spawn.h>
#include <string_view>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "io/hdf5/h5_inspector.hpp"
#include "src/core/error.hpp"
#include "src/core/files/descriptor.hpp"

namespace atl::io {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view child_word = "--inspect-hdf5";
constexpr std::string_view datasets_word = "--datasets";
/// Set for a child to the process that started it: a child may start none, as a main() that does
/// not know children would start more.
constexpr const char* child_variable = "ATOLL_HDF5_CHILD";

constexpr rlim_t processor_seconds = 5;
constexpr std::chrono::seconds wall_time{60};  // storage may be slow
constexpr std::uint64_t memory = std::uint64_t{256} << 20;
constexpr std::size_t longest_answer = std::size_t{1} << 16;
/// Of the child; standard output is for whatever is loaded into it.
constexpr int answer_descriptor = 3;
/// What the child says before it lets HDF5 look: from now on its end is the file's doing.
constexpr std::byte here_i_am{0xa7};

// The sanitizers' shadow memory. g++ defines macros, clang has features.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define ATOLL_MAPS_TERABYTES 1
#endif
#endif
#if defined(ATOLL_MAPS_TERABYTES) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool maps_terabytes = true;
#else
constexpr bool maps_terabytes = false;
#endif

class Pipe {
 public:
  explicit Pipe(const std::string& path) {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0) throw IoError(path, std::strerror(errno));
  }
  ~Pipe() {
    ::close(ends_[0]);
    close_writing();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  int reading() const noexcept { return ends_[0]; }
  int writing() const noexcept { return ends_[1]; }
  void close_writing() noexcept {
    if (ends_[1] >= 0) ::close(std::exchange(ends_[1], -1));
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

class Child {
 public:
  Child(const InputFile& file, const Hdf5Names& names, int answer) {
    std::vector<std::string> words = {"atoll", std::string(child_word)};
    words.insert(words.end(), names.attributes.begin(), names.attributes.end());
    words.emplace_back(datasets_word);
    words.insert(words.end(), names.datasets.begin(), names.datasets.end());
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    std::vector<char*> environment;
    for (char** variable = environ; *variable != nullptr; ++variable) {
      if (!std::string_view(*variable).starts_with("HDF5_")) environment.push_back(*variable);
    }
    std::string mark = std::string(child_variable) + "=" + std::to_string(::getpid());
    // Not every storage has locks, and a file that is only read needs none.
    std::string no_locks = "HDF5_USE_FILE_LOCKING=FALSE";
    environment.insert(environment.end(), {mark.data(), no_locks.data(), nullptr});

    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    // What is to stop a job is sent to all processes of a terminal or a batch step. It must not end
    // the child, or a good file would look like one that HDF5 crashes on.
    sigset_t stops, all;
    ::sigemptyset(&stops);
    for (const int signal :
         {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGTSTP, SIGALRM}) {
      ::sigaddset(&stops, signal);
    }
    ::sigfillset(&all);
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, file.descriptor(), STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, answer, answer_descriptor);
    // What the C library says of a broken heap is nobody's business.
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
      ::posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0);
    }
    ::posix_spawnattr_init(&attributes);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    ::posix_spawnattr_setsigmask(&attributes, &stops);
    ::posix_spawnattr_setsigdefault(&attributes, &all);
    const int error = ::posix_spawn(&process_, "/proc/self/exe", &actions, &attributes,
                                    arguments.data(), environment.data());
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&actions);
    if (error != 0) {
      throw IoError(file.path(), std::string("no process can be started to look into it: ") +
                                     std::strerror(error));
    }
  }
  ~Child() {
    if (process_ > 0) wait(SIGKILL);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Waits for its end. @param signal  sent before; 0 for none
  /// @return its status as waitpid gives it
  int wait(int signal) noexcept {
    const pid_t process = std::exchange(process_, 0);
    ::kill(process, signal);
    int status = 0;
    while (::waitpid(process, &status, 0) < 0) {
      if (errno != EINTR) return 0;
    }
    return status;
  }

 private:
  pid_t process_ = 0;
};

struct Answer {
  Bytes bytes;
  bool in_time = true;
  bool too_long = false;
};

Answer read_answer(int descriptor, const std::string& path) {
  Answer answer;
  const auto end = Clock::now() + wall_time;
  std::array<std::byte, 4096> block;
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
    pollfd waiting{descriptor, POLLIN, 0};
    const int ready =
        ::poll(&waiting, 1, static_cast<int>(std::max<std::int64_t>(0, left.count())));
    if (ready < 0 && errno == EINTR) continue;
    if (ready < 0) throw IoError(path, std::strerror(errno));
    answer.in_time = ready != 0;
    answer.too_long = answer.bytes.size() > longest_answer;
    if (!answer.in_time || answer.too_long) return answer;
    const ssize_t got = ::read(descriptor, block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw IoError(path, std::strerror(errno));
    if (got == 0) return answer;
    answer.bytes.insert(answer.bytes.end(), block.begin(), block.begin() + got);
  }
}

/// Why there is no whole answer. What the file does to HDF5 is its damage; what happens to the
/// child from outside says nothing of the file.
[[noreturn]] void throw_unanswered(const std::string& path, int status, const Answer& answer) {
  if (!answer.in_time) {
    throw IoError(path, "HDF5 waited " + std::to_string(wall_time.count()) +
                            " s for storage, or for a core, and had not looked into it by then");
  }
  if (answer.bytes.empty()) {
    throw IoError(path, "the process that was to look into it could not begin");
  }
  if (answer.too_long) throw BadData(path, "damaged: HDF5 cannot read it");
  switch (WIFSIGNALED(status) ? WTERMSIG(status) : 0) {
    case 0:
      throw BadData(path, "damaged: HDF5 cannot read it");
    case SIGXCPU:
      throw BadData(path, "damaged: HDF5 comes to no end with it");
    case SIGSEGV:
    case SIGBUS:
    case SIGABRT:
    case SIGILL:
    case SIGFPE:
    case SIGSYS:
      throw BadData(
          path, std::string("damaged: HDF5 crashes on it (") + ::strsignal(WTERMSIG(status)) + ")");
    default:
      throw IoError(path, "the process that looked into it was ended from outside");
  }
}

void limit(int resource, rlim_t soft, rlim_t hard) {
  rlimit now{};
  if (::getrlimit(static_cast<__rlimit_resource_t>(resource), &now) != 0) return;
  const rlimit less{std::min(soft, now.rlim_cur), std::min(hard, now.rlim_max)};
  ::setrlimit(static_cast<__rlimit_resource_t>(resource), &less);
}

std::uint64_t mapped_bytes() {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

void limit_this_process() {
  limit(RLIMIT_CORE, 0, 0);
  limit(RLIMIT_CPU, processor_seconds, processor_seconds + 1);
  if (!maps_terabytes) limit(RLIMIT_AS, mapped_bytes() + memory, mapped_bytes() + memory);
}

/// errno of opening the file and reading its first byte, 0 if both go well.
int error_of_reading(const char* path) {
  const Descriptor file(::open(path, O_RDONLY | O_CLOEXEC));
  std::byte first{};
  return file.is_open() && ::pread(file.get(), &first, 1, 0) >= 0 ? 0 : errno;
}

Hdf5Names names_in(int argc, char** argv) {
  Hdf5Names names;
  std::vector<std::string>* list = &names.attributes;
  for (int i = 2; i < argc; ++i) {
    if (argv[i] == datasets_word) {
      list = &names.datasets;
    } else {
      list->emplace_back(argv[i]);
    }
  }
  return names;
}

}  // namespace

Hdf5Layout inspect_in_child(const InputFile& file, const Hdf5Names& names) {
  const char* const parent = std::getenv(child_variable);
  if (parent != nullptr && parent == std::to_string(::getppid())) {
    throw InternalError("a child that looks into HDF5 files starts another");
  }
  Pipe pipe(file.path());
  Child child(file, names, pipe.writing());
  pipe.close_writing();
  const Answer answer = read_answer(pipe.reading(), file.path());
  const int status = child.wait(answer.in_time && !answer.too_long ? 0 : SIGKILL);
  Hdf5Layout layout;
  try {
    if (answer.bytes.empty() || answer.bytes.front() != here_i_am) throw BadBytes("no answer");
    layout = decode_hdf5_layout(std::span(answer.bytes).subspan(1));
  } catch (const BadBytes&) {  // it has not come to the end of its answer
    throw_unanswered(file.path(), status, answer);
  }
  if (layout.error_number != 0) throw IoError(file.path(), std::strerror(layout.error_number));
  if (!layout.problem.empty()) throw BadData(file.path(), layout.problem);
  return layout;
}

std::optional<int> run_inspection_child(int argc, char** argv) {
  if (argc < 2 || argv[1] != child_word) return std::nullopt;
  limit_this_process();
  int status = EXIT_FAILURE;
  try {
    // HDF5 does not say why it could not open or read.
    constexpr const char* path = "/proc/self/fd/0";
    Hdf5Layout layout;
    layout.error_number = error_of_reading(path);
    // Fewer bytes than a pipe takes at once.
    if (::write(answer_descriptor, &here_i_am, 1) != 1) std::_Exit(status);
    if (layout.error_number == 0) layout = inspect_hdf5(path, names_in(argc, argv));
    const Bytes answer = encode(layout);
    const ssize_t written = ::write(answer_descriptor, answer.data(), answer.size());
    if (written == static_cast<ssize_t>(answer.size())) status = EXIT_SUCCESS;
  } catch (const std::exception&) {
    status = EXIT_FAILURE;  // no memory is left; whoever waits says what that means
  }
  std::_Exit(status);  // what HDF5 would do at exit it may do wrong, too
}

}  // namespace atl::io
