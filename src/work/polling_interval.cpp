#include "src/work/polling_interval.hpp"

#include <algorithm>

namespace atl {

namespace {

constexpr double seconds_between = 0.2;

}  // namespace

std::uint64_t PollingInterval::next(std::uint32_t generation, double seconds_left,
                                    Clock::time_point now) const noexcept {
  if (!begun_ || generation <= generation_) return 1;  // nobody knows yet how long one takes
  const double done = generation - generation_;
  const double each = std::chrono::duration<double>(now - time_).count() / done;
  if (each <= 0) return 1;
  const double wanted = std::min(seconds_between, seconds_left) / each;
  return static_cast<std::uint64_t>(std::clamp(wanted, 1.0, 2 * done));
}

}  // namespace atl
