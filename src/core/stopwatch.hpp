#pragma once

#include <chrono>

namespace atl {

inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Adds the time until it goes out of scope.
class Stopwatch {
 public:
  explicit Stopwatch(double& seconds) : seconds_(seconds) {}
  ~Stopwatch() { seconds_ += seconds_since(start_); }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  double& seconds_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Returns what the action returns, and sets `seconds` to the time that it took.
template <typename Action>
auto timed(double& seconds, const Action& action) {
  const Stopwatch watch(seconds);
  return action();
}

}  // namespace atl
