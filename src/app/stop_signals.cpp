#include "src/app/stop_signals.hpp"

#include <unistd.h>

namespace atl {

namespace {

volatile std::sig_atomic_t first_signal = 0;
volatile std::sig_atomic_t interrupts = 0;

}  // namespace

extern "C" {
static void atoll_note_signal(int number) {
  if (number == SIGINT) {
    interrupts = interrupts + 1;
    if (interrupts > 1) ::_exit(128 + SIGINT);
  }
  if (first_signal == 0) first_signal = number;
}
}

StopSignals::StopSignals() {
  first_signal = 0;
  interrupts = 0;
  struct sigaction action {};
  action.sa_handler = atoll_note_signal;
  action.sa_flags = SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < signals.size(); ++i) {
    ::sigaction(signals[i], &action, &former_[i]);
  }
}

StopSignals::~StopSignals() {
  for (std::size_t i = 0; i < signals.size(); ++i) {
    if (signals[i] == SIGUSR1) former_[i].sa_handler = SIG_IGN;
    ::sigaction(signals[i], &former_[i], nullptr);
  }
}

int StopSignals::received() const noexcept {
  return first_signal;
}

}  // namespace atl
