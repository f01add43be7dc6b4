#include "src/work/job_limits.hpp"

#include <algorithm>
#include <limits>

namespace atl {

namespace {

constexpr double between_file_looks = 0.5;

}  // namespace

// The file system may be far away.
bool LimitWatch::told_by_file() {
  const bool lately = last_look_ && seconds_since(*last_look_) < between_file_looks;
  if (told_ || lately || !stop_file_) return told_;
  last_look_ = std::chrono::steady_clock::now();
  told_ = stop_file_();
  return told_;
}

StopReason LimitWatch::reason_to_stop(double worked, bool advanced) {
  if (limits_.time_limit > 0 && worked >= limits_.time_limit) return StopReason::time_limit;
  if (limits_.stop_after > 0 && seconds_since(limits_.start) >= limits_.stop_after && advanced) {
    return StopReason::stop_after;
  }
  return told_by_file() ? StopReason::stop_file : StopReason::none;
}

double LimitWatch::seconds_left(double worked) const {
  double left = std::numeric_limits<double>::infinity();
  if (limits_.time_limit > 0) left = std::min(left, limits_.time_limit - worked);
  if (limits_.stop_after > 0)
    left = std::min(left, limits_.stop_after - seconds_since(limits_.start));
  return left;
}

}  // namespace atl
