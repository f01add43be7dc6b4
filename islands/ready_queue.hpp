#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>

namespace atl {

/// Islands of a rank that wait for a thread. One that can go on without blocking comes first, else
/// the one that has waited longest: its thread blocks for it. From any thread.
class ReadyQueue {
 public:
  /// @param islands  all wait at first, in order
  /// @param ready  of an island that waits: can it go on without blocking? Cheap
  ReadyQueue(std::size_t islands, std::function<bool(std::size_t)> ready)
      : ready_(std::move(ready)), waiting_(islands) {
    std::iota(waiting_.begin(), waiting_.end(), std::size_t{0});
  }

  /// Nothing once none waits: each thread that is left has an island then.
  std::optional<std::size_t> take() {
    const std::scoped_lock lock(mutex_);
    if (waiting_.empty()) return std::nullopt;
    auto next = std::find_if(waiting_.begin(), waiting_.end(),
                             [this](std::size_t island) { return ready_(island); });
    if (next == waiting_.end()) next = waiting_.begin();
    const std::size_t island = *next;
    waiting_.erase(next);
    return island;
  }
  void give_back(std::size_t island) {
    const std::scoped_lock lock(mutex_);
    if (!ended_) waiting_.push_back(island);
  }
  /// No island is given out any more.
  void end() {
    const std::scoped_lock lock(mutex_);
    waiting_.clear();
    ended_ = true;
  }

 private:
  std::function<bool(std::size_t)> ready_;
  std::mutex mutex_;
  std::deque<std::size_t> waiting_;
  bool ended_ = false;
};

}  // namespace atl
