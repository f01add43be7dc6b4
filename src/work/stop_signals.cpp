#include "src/work/stop_signals.hpp"

#include <unistd.h>

namespace atl {

namespace {

volatile std::sig_atomic_t all = 0;
volatile std::sig_atomic_t interrupts = 0;  // of them

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

}  // namespace atl
