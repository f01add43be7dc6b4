#include "src/exhaustive/rules/walk_units.hpp"

#include <utility>

namespace atl {

void WalkUnits::join() {
  const std::scoped_lock lock(mutex_);
  ++joined_;
}

std::optional<WalkRange> WalkUnits::take() {
  std::unique_lock lock(mutex_);
  ++idle_;
  if (ranges_.empty() && idle_ == joined_) {
    is_over_ = true;
    changed_.notify_all();
  }
  is_wanted_ = ranges_.empty();
  changed_.wait(lock, [&] { return is_over_ || !ranges_.empty(); });
  if (is_over_) return std::nullopt;
  --idle_;
  WalkRange& front = ranges_.front();
  WalkRange one = front;
  one.end = ++front.first;
  if (front.first == front.end) ranges_.pop_front();
  is_wanted_ = idle_ > 0 && ranges_.empty();
  return one;
}

void WalkUnits::give_up() {
  const std::scoped_lock lock(mutex_);
  is_over_ = true;
  changed_.notify_all();
}

void WalkUnits::give(WalkRange range) {
  const std::scoped_lock lock(mutex_);
  ranges_.push_back(std::move(range));
  is_wanted_ = false;
  changed_.notify_all();
}

}  // namespace atl
