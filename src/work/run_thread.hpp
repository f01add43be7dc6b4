#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <stop_token>

#include "src/work/task.hpp"

namespace atl {

/// Works on a run of pieces on a thread of its own, so that its rank can talk to others meanwhile.
/// Ends with the run.
class RunThread {
 public:
  using Work = std::function<Done(const std::stop_token&)>;

  RunThread() = default;
  ~RunThread() { stop(); }  // then the future waits
  RunThread(const RunThread&) = delete;
  RunThread& operator=(const RunThread&) = delete;

  /// @pre it is not busy. Where the system allows no further thread, returns when all is done.
  void start(Work work);
  /// From start() to take().
  bool is_busy() const noexcept { return done_.valid(); }
  /// Waits for it, but not longer.
  bool is_done(std::chrono::duration<double> within = {}) const {
    return is_busy() && done_.wait_for(within) == std::future_status::ready;
  }
  void stop() { stop_.request_stop(); }
  /// @throws what the work threw
  Done take() { return done_.get(); }

 private:
  std::stop_source stop_;
  std::future<Done> done_;
};

}  // namespace atl
