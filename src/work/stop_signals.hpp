#pragma once

#include <array>
#include <csignal>

namespace atl {

/// While it lives, SIGINT, SIGTERM, SIGUSR1 and SIGXCPU, which tells that the limit of processor
/// time is near, set a flag instead of ending the process. A second SIGINT ends it at once. At most
/// one at a time.
class StopSignals {
 public:
  StopSignals();
  /// The former dispositions are back, but SIGUSR1 stays ignored: it may still come to a job that
  /// has ended well and is on its way out.
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// How many have come.
  int count() const noexcept;

 private:
  static constexpr std::array signals = {SIGINT, SIGTERM, SIGUSR1, SIGXCPU};
  std::array<struct sigaction, signals.size()> former_;
};

}  // namespace atl
