#include "src/work/job_limits.hpp"

#include <algorithm>
#include <limits>
#include <unistd.h>

namespace atl {
namespace {

volatile std::sig_atomic_t all = 0;
volatile std::sig_atomic_t interrupts = 0;  // of them

constexpr double between_file_looks = 0.5;

}  // namespace

extern "C" {
static void atoll_note_signal(int number) {
  if (number == SIGINT) {
    interrupts = interrupts + 1;
    if (interrupts > 1) ::_exit(128 + SIGINT);
  }
  all = all + 1;
}
}

StopSignals::StopSignals() {
  all = 0;
  interrupts = 0;
  struct sigaction action {};
  action.sa_handler = atoll_note_signal;
  action.sa_flags = SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  sigset_t ours;
  ::sigemptyset(&ours);
  for (std::size_t i = 0; i < signals.size(); ++i) {
    ::sigaction(signals[i], nullptr, &former_[i]);
    // A shell has commands in the background ignore the Ctrl-C that is meant for others.
    if (signals[i] == SIGINT && former_[i].sa_handler == SIG_IGN) continue;
    ::sigaction(signals[i], &action, nullptr);
    ::sigaddset(&ours, signals[i]);
  }
  // Whoever started this process may have blocked them.
  ::pthread_sigmask(SIG_UNBLOCK, &ours, nullptr);
}

StopSignals::~StopSignals() {
  for (std::size_t i = 0; i < signals.size(); ++i) {
    if (signals[i] == SIGUSR1) former_[i].sa_handler = SIG_IGN;
    ::sigaction(signals[i], &former_[i], nullptr);
  }
}

int StopSignals::count() const noexcept {
  return all;
}

// The file system may be far away.
bool LimitWatch::told_by_file() {
  const bool lately = last_look_ && seconds_since(*last_look_) < between_file_looks;
  if (told_ || lately || !stop_file_) return told_;
  last_look_ = std::chrono::steady_clock::now();
  told_ = stop_file_();
  return told_;
}

StopReason LimitWatch::reason_to_stop(double worked, bool advanced) {
  if (limits_.time_limit > 0 && worked >= limits_.time_limit) return StopReason::time_limit;
  if (limits_.stop_after > 0 && seconds_since(limits_.start) >= limits_.stop_after && advanced) {
    return StopReason::stop_after;
  }
  return told_by_file() ? StopReason::stop_file : StopReason::none;
}

double LimitWatch::seconds_left(double worked) const {
  double left = std::numeric_limits<double>::infinity();
  if (limits_.time_limit > 0) left = std::min(left, limits_.time_limit - worked);
  if (limits_.stop_after > 0)
    left = std::min(left, limits_.stop_after - seconds_since(limits_.start));
  return left;
}

}  // namespace atl
