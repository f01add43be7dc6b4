#include "src/app/bench/stopwatch.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

namespace atl {

Timing time_repeatedly(const std::function<void()>& run, double seconds) {
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  run();
  std::vector<double> times;
  const auto start = Clock::now();
  while (times.size() < 5 || (since(start) < seconds && times.size() < 1000)) {
    const auto before = Clock::now();
    run();
    times.push_back(since(before));
  }
  std::sort(times.begin(), times.end());
  return {times[times.size() / 2], times.front(), static_cast<unsigned>(times.size())};
}

}  // namespace atl
