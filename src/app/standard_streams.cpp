#include "src/app/standard_streams.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/ioctl.h>
#include <unistd.h>

#include "src/core/error.hpp"

namespace atl {

void secure_standard_streams() {
  // Writing to a pipe that nobody reads then fails with EPIPE instead of ending a long run.
  std::signal(SIGPIPE, SIG_IGN);
  // Writing beyond `ulimit -f` likewise fails with EFBIG, which is told and cleaned up after.
  std::signal(SIGXFSZ, SIG_IGN);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) != -1) continue;
    // open() takes the lowest free descriptor: this one. Read-only, standard output still fails.
    (void)!::open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
  }
}

namespace {

/// "\r", and what has a terminal clear the line.
constexpr std::string_view over_the_line = "\r\x1b[K";

void write_all(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EPIPE) {
      return;
    } else if (errno != EINTR) {
      throw IoError("standard output", std::strerror(errno));
    }
  }
}

}  // namespace

void write_stdout(std::string_view text) {
  write_all(printable_lines(text));
}

void write_stdout_exactly(std::string_view text) {
  if (stdout_is_terminal()) return write_stdout(text);
  write_all(text);
}

void write_stdout_over(std::string_view text) {
  write_all((stdout_is_terminal() ? std::string(over_the_line) : "") + printable_lines(text));
}

bool stdout_is_terminal() noexcept {
  return ::isatty(STDOUT_FILENO) == 1;
}
bool stderr_is_terminal() noexcept {
  return ::isatty(STDERR_FILENO) == 1;
}

std::size_t stdout_columns() noexcept {
  winsize size{};
  if (!stdout_is_terminal() || ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return 0;
  return size.ws_col;
}

void write_stderr_line(std::string_view line, LineEnd end) noexcept {
  static const bool terminal = stderr_is_terminal();
  // One call a line, so that lines of several ranks do not mix.
  std::string text(terminal ? over_the_line : "");
  text += printable(line, std::string::npos);
  if (end == LineEnd::line_feed) text += '\n';
  (void)!::write(STDERR_FILENO, text.data(), text.size());
}

Report stderr_report(bool verbose) {
  return [verbose](Severity severity, const std::string& message) {
    switch (severity) {
      case Severity::debug:
        if (verbose) write_stderr_line("debug: " + message);
        break;
      case Severity::info:
        write_stderr_line(message);
        break;
      case Severity::warning:
        write_stderr_line("atoll: warning: " + message);
        break;
    }
  };
}

}  // namespace atl
