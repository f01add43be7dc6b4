// When a job saves what it has, and when it stops before it is done.
#pragma once

#include <array>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "src/core/stopwatch.hpp"

namespace atl {

/// Lets SIGINT, SIGTERM, SIGUSR1 and SIGXCPU, which tells that the limit of processor time is near,
/// set a flag while it lives instead of ending the process. A second SIGINT ends it at once. At
/// most one at a time.
class StopSignals {
 public:
  StopSignals();
  /// The former dispositions are back, but SIGUSR1 stays ignored: it may still come to a job that
  /// has ended well and is on its way out.
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// Number of signals that have come.
  int count() const noexcept;

 private:
  static constexpr std::array signals = {SIGINT, SIGTERM, SIGUSR1, SIGXCPU};
  std::array<struct sigaction, signals.size()> former_;
};

/// The reason why the generations of a job end. The numbers travel between ranks.
enum class StopReason : std::uint64_t { none, finished, time_limit, stop_after, stop_file, signal };

inline const char* to_string(StopReason reason) noexcept {
  constexpr const char* names[] = {"none",       "finished",  "time limit",
                                   "stop after", "stop file", "signal"};
  return names[static_cast<std::size_t>(reason)];
}

/// Is the run over with it? Else a job can go on.
constexpr bool ends_run(StopReason reason) noexcept {
  return reason == StopReason::finished || reason == StopReason::time_limit;
}

struct JobLimits {
  double time_limit = 0;         ///< seconds of all jobs together, or 0: the work is done then
  double stop_after = 0;         ///< seconds of this job since its start, or 0
  double checkpoint_every = 60;  ///< seconds
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();  ///< of the job
};

/// Watches what the clock and a file say. Only rank 0's counts, or two clocks would have to agree.
class LimitWatch {
 public:
  /// @param stop_file  looks whether a file tells the job to stop; null: none can
  LimitWatch(const JobLimits& limits, std::function<bool()> stop_file)
      : limits_(limits), stop_file_(std::move(stop_file)) {}

  /// Looks for the file, but not more often than twice a second.
  /// @param worked    seconds of all jobs together
  /// @param advanced  has this job brought the work on? Even the shortest must, or a row of them
  ///                  would never end.
  StopReason reason_to_stop(double worked, bool advanced);
  /// Seconds until the clock has something due, but for checkpoints; infinity if it never has.
  double seconds_left(double worked) const;

 private:
  bool told_by_file();

  JobLimits limits_;
  std::function<bool()> stop_file_;
  std::optional<std::chrono::steady_clock::time_point> last_look_;
  bool told_ = false;
};

}  // namespace atl
