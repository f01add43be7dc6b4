#include "src/work/standard_streams.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sstream>
#include <sys/ioctl.h>
#include <unistd.h>

#include "src/core/error.hpp"
#include "src/core/files/atomic_file.hpp"
#include "src/core/text/wrapped_text.hpp"
#include "src/core/time_line.hpp"

namespace atl {

void secure_standard_streams() {
  // Writing to a pipe that nobody reads then fails with EPIPE instead of ending a long run.
  std::signal(SIGPIPE, SIG_IGN);
  // Writing beyond `ulimit -f` likewise fails with EFBIG, which is told and cleaned up after.
  std::signal(SIGXFSZ, SIG_IGN);
  // Whoever started this program may not want to hear of its children; this program does.
  std::signal(SIGCHLD, SIG_DFL);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) != -1) continue;
    // open() takes the lowest free descriptor: this one. Read-only, standard output still fails.
    (void)!::open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
  }
}

namespace {

/// "\r", and what has a terminal clear the line.
constexpr std::string_view over_the_line = "\r\x1b[K";

/// @param milliseconds  at most, negative: without end
bool wait_for_room(int stream, int milliseconds) noexcept {
  pollfd room{stream, POLLOUT, 0};
  return ::poll(&room, 1, milliseconds) != 0;
}

/// The columns that the environment asks for; 0 if it does not.
std::size_t columns_asked_for() noexcept {
  const char* const text = std::getenv("COLUMNS");
  if (text == nullptr) return 0;
  std::size_t columns = 0;
  const char* const end = text + std::strlen(text);
  const auto read = std::from_chars(text, end, columns);
  return read.ec == std::errc() && read.ptr == end ? columns : 0;
}

std::size_t columns_of(int stream) noexcept {
  if (const std::size_t asked_for = columns_asked_for(); asked_for > 0) return asked_for;
  winsize size{};
  if (::isatty(stream) != 1 || ::ioctl(stream, TIOCGWINSZ, &size) != 0) return 0;
  return size.ws_col;
}

/// Leaves out what does not fit into a line of the terminal: only the last part of a wrapped line
/// could be cleared.
std::string clipped(const std::string& text, int terminal) {
  const std::size_t columns = columns_of(terminal);
  return columns < 2 ? text : narrowed(text, columns - 1);
}

/// @return whether somebody reads it
bool write_all(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EPIPE) {
      return false;
    } else if (errno == EAGAIN) {  // somebody has made it non-blocking
      wait_for_room(STDOUT_FILENO, -1);
    } else if (errno != EINTR) {
      io::throw_write_error("standard output", errno);
    }
  }
  return true;
}

}  // namespace

void write_stdout(std::string_view text) {
  write_all(printable_lines(text));
}

bool write_stdout_exactly(std::string_view text) {
  if (!stdout_is_terminal()) return write_all(text);
  std::string shown;
  while (true) {  // tabs that stand between columns do no harm
    const std::size_t tab = std::min(text.find('\t'), text.size());
    shown += printable_lines(text.substr(0, tab));
    if (tab == text.size()) return write_all(shown);
    shown += '\t';
    text.remove_prefix(tab + 1);
  }
}

void write_stdout_over(std::string_view text) {
  const bool whole = !stdout_is_terminal() || text.ends_with('\n');
  write_all((stdout_is_terminal() ? std::string(over_the_line) : "") +
            (whole ? printable_lines(text) : clipped(printable_lines(text), STDOUT_FILENO)));
}

bool stdout_is_terminal() noexcept {
  return ::isatty(STDOUT_FILENO) == 1;
}
bool stderr_is_terminal() noexcept {
  return ::isatty(STDERR_FILENO) == 1;
}

std::size_t stdout_columns() noexcept {
  return columns_of(STDOUT_FILENO);
}
std::size_t stderr_columns() noexcept {
  return columns_of(STDERR_FILENO);
}

void write_stderr_line(std::string_view line, LineEnd end) noexcept {
  static const bool terminal = stderr_is_terminal();
  // One call a line, so that lines of several ranks do not mix.
  std::string text(terminal ? over_the_line : "");
  const std::string shown = shortened(printable(line, std::string::npos));
  text += !terminal              ? shown
          : end == LineEnd::none ? clipped(shown, STDERR_FILENO)
                                 : fitted(shown, columns_of(STDERR_FILENO), 2);
  if (end == LineEnd::line_feed) text += '\n';
  // A reader that does not read must not keep a job from stopping: a line is waited with for a
  // while, those after it are left out until there is room.
  static std::atomic<bool> stuck = false;
  const int patience = stuck || end == LineEnd::none ? 0 : 2000;
  stuck = !wait_for_room(STDERR_FILENO, patience);
  if (!stuck) (void)!::write(STDERR_FILENO, text.data(), text.size());
}

Report stderr_report() {
  return [](Severity severity, const std::string& message) {
    switch (severity) {
      case Severity::info:
        write_stderr_line(message);
        break;
      case Severity::warning:
        write_stderr_line("atoll: warning: " + message);
        break;
    }
  };
}

void tell_timings() {
  if (!time_line().asked) return;
  std::istringstream table(timings_table(time_line().phases(), TimeLine::spent()));
  for (std::string line; std::getline(table, line);) write_stderr_line(line);
}

}  // namespace atl
