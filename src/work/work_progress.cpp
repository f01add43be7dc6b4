#include "src/work/work_progress.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "src/core/text/time_text.hpp"
#include "src/work/standard_streams.hpp"

namespace atl {
namespace {

/// Less in half of the time says nothing.
constexpr double least_amount = 2;
/// A time that is so many times as long as what has passed is not known either.
constexpr double most_times = 100;

}  // namespace

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

void WorkProgress::note(double seconds, std::uint64_t amount_left) {
  std::uint64_t done = amount_ - std::min(amount_, amount_left);
  if (!done_.empty()) done = std::max(done, done_.back().second);
  done_.emplace_back(seconds, done);
  // Only the end of the first half of the time is needed.
  while (done_.size() > 2 && done_[1].first <= seconds / 2) done_.pop_front();
}

std::optional<SecondsLeft> WorkProgress::seconds_left() const {
  if (done_.empty()) return std::nullopt;
  const auto [now, done] = done_.back();
  const auto [middle, done_before] = done_.front();
  if (middle > now * 0.75 || middle < now * 0.25) return std::nullopt;
  const double lately = static_cast<double>(done - done_before);
  if (lately < least_amount) return std::nullopt;
  // Where each unit takes r times as long as the one before, the time grows by r^units.
  const double periods = static_cast<double>(amount_ - done) / lately;
  const double growth = std::pow(now / middle, periods) - 1;
  if (growth > most_times) return std::nullopt;
  return SecondsLeft{periods * (now - middle), std::max(growth * now, periods * (now - middle))};
}

std::string WorkProgress::line() const {
  const double now = done_.empty() ? 0 : done_.back().first;
  const std::uint64_t done = done_.empty() ? 0 : done_.back().second;
  std::string line = fmt::format("{} of {} {} done, {}", done, amount_, unit_, time_text(now));
  const auto left = seconds_left();
  if (!left) return line;
  const std::string least = time_text(left->least), most = time_text(left->most);
  return line + ", " + (least == most ? most : least + " to " + most) + " left";
}

}  // namespace atl
