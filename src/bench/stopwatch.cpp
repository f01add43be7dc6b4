#include "src/bench/stopwatch.hpp"

#include <algorithm>
#include <chrono>

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
  return {median(times), *std::min_element(times.begin(), times.end()),
          static_cast<unsigned>(times.size())};
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace atl
