#pragma once

#include <chrono>
#include <cstdint>

namespace atl {

/// How far a job's islands go on by themselves before it looks again whether to stop, to save or to
/// show something: about 0.2 s. Results do not depend on it.
class PollingInterval {
 public:
  using Clock = std::chrono::steady_clock;

  /// The islands go on from this generation now.
  void go_on(std::uint32_t generation, Clock::time_point now = Clock::now()) noexcept {
    generation_ = generation;
    time_ = now;
    begun_ = true;
  }
  /// Generations from the one that they have come to until the next look, at least 1. Later ones
  /// may take longer, so it takes several looks to get far.
  /// @param seconds_left  until something is due by the clock
  std::uint64_t next(std::uint32_t generation, double seconds_left,
                     Clock::time_point now = Clock::now()) const noexcept;

 private:
  bool begun_ = false;
  std::uint32_t generation_ = 0;
  Clock::time_point time_;
};

}  // namespace atl
