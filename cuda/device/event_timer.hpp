// How long the device takes for work, by its events.
#pragma once

#include <functional>
#include <memory>

struct CUstream_st;  // of CUDA, whose cudaStream_t points to one

namespace atl::cuda {

/// Times work on a stream of its own, on the device that is current when it is made. Benchmarks
/// hand it the launch of a kernel. For one thread at a time.
class EventTimer {
 public:
  /// Puts work on the stream and returns at once.
  using Launch = std::function<void(CUstream_st* stream)>;

  /// @throws BackendUnavailable
  EventTimer();
  ~EventTimer();

  /// Blocks until the work is done. @throws DeviceFailed and what check() (handles.hpp) throws
  double seconds_of(const Launch& launch);
  /// The fastest of at least 5 launches in some 40 ms, after one to warm up.
  double best_seconds_of(const Launch& launch);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace atl::cuda
