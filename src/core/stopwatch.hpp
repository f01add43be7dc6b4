#pragma once

#include <chrono>

namespace atl {

/// Adds the time until it goes out of scope.
class Stopwatch {
 public:
  explicit Stopwatch(double& seconds) : seconds_(seconds) {}
  ~Stopwatch() {
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  double& seconds_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// What the action returns, and how long it took.
template <typename Action>
auto timed(double& seconds, const Action& action) {
  const Stopwatch watch(seconds);
  return action();
}

}  // namespace atl
