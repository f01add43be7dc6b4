#include "src/work/progress_display.hpp"

#include "src/work/standard_streams.hpp"

namespace atl {

ProgressDisplay::ProgressDisplay()
    : terminal_(stderr_is_terminal()), last_(std::chrono::steady_clock::now()) {}

ProgressDisplay::~ProgressDisplay() {
  if (terminal_) write_stderr_line("", LineEnd::none);
}

void ProgressDisplay::show(const std::string& line) {
  if (terminal_) {
    write_stderr_line(line, LineEnd::none);
    return;
  }
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < std::chrono::seconds(10)) return;
  last_ = now;
  write_stderr_line(line);
}

}  // namespace atl
