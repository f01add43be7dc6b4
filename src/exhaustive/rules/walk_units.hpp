#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include "src/exhaustive/rules/rule_walk.hpp"

namespace atl {

/// The ranges that threads have before them. One that has nothing to do gets a part of what another
/// one has: that looks now and then whether some is wanted.
class WalkUnits {
 public:
  explicit WalkUnits(const std::vector<WalkRange>& ranges)
      : ranges_(ranges.begin(), ranges.end()) {}

  /// A thread begins to take.
  void join();
  /// One item of a range. Waits while others may give some. @return none: all is done
  std::optional<WalkRange> take();
  /// No thread gets anything any more, as one has failed.
  void give_up();

  bool is_wanted() const noexcept { return is_wanted_.load(std::memory_order_relaxed); }
  void give(WalkRange range);

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<WalkRange> ranges_;
  std::size_t joined_ = 0, idle_ = 0;
  bool is_over_ = false;
  std::atomic<bool> is_wanted_ = false;
};

}  // namespace atl
