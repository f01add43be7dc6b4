#include "cuda/device/event_timer.hpp"

#include <algorithm>
#include <chrono>

#include "cuda/device/handles.hpp"

namespace atl::cuda {

struct EventTimer::State {
  Stream stream;
  Event begin, end;
};

EventTimer::EventTimer() : state_(std::make_unique<State>()) {}
EventTimer::~EventTimer() = default;

double EventTimer::seconds_of(const Launch& launch) {
  state_->begin.record(state_->stream);
  launch(state_->stream);
  check(cudaGetLastError());
  state_->end.record(state_->stream);
  state_->end.wait();
  return state_->end.seconds_since(state_->begin);
}

double EventTimer::best_seconds_of(const Launch& launch) {
  using Clock = std::chrono::steady_clock;
  double seconds = seconds_of(launch);
  const auto start = Clock::now();
  for (int run = 0; run < 5 || Clock::now() - start < std::chrono::milliseconds(40); ++run) {
    seconds = std::min(seconds, seconds_of(launch));
  }
  return seconds;
}

}  // namespace atl::cuda
