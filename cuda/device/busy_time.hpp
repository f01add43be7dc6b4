// Measures how long a device has had something to do.
#pragma once

#include <array>
#include <chrono>
#include <cuda_runtime_api.h>
#include <memory>
#include <mutex>
#include <vector>

#include "cuda/device/handles.hpp"
#include "src/core/busy_seconds.hpp"

namespace atl::cuda {

/// The total time in which any stream of a device had work, by the device's clock. If a span is
/// added after later spans have been summed up, its time before their end is not counted. For any
/// thread whose current device is this one.
class BusyTime {
  /// Events tell the time between them in single precision: spans are told from one nearby.
  struct Origin {
    Event event;
    std::shared_ptr<Origin> before;  ///< until the offset is known
    double offset = 0;               ///< seconds since the first origin
  };

 public:
  /// Reusable.
  class Span {
    friend BusyTime;
    std::shared_ptr<Origin> origin_;
    Event begin_, end_;
  };

  void begin(Span& span, cudaStream_t stream);
  void end(Span& span, cudaStream_t stream) { span.end_.record(stream); }
  /// @param kind  of work. @pre the stream has passed the span's end
  void add(Span& span, double BusySeconds::*kind);
  /// The time of all spans added so far.
  BusySeconds seconds();

 private:
  using Clock = std::chrono::steady_clock;
  struct Interval {
    double begin, end;  ///< seconds since the first origin
  };
  /// Time that any of some intervals covers.
  class Cover {
   public:
    void add(const Interval& interval);
    double seconds();

   private:
    std::vector<Interval> pending_;
    double sum_ = 0;
    double summed_until_ = 0;
  };

  static double offset_of(Origin& origin);

  std::mutex mutex_;
  std::shared_ptr<Origin> origin_;
  Clock::time_point origin_recorded_;
  std::array<Cover, busy_kinds.size()> covers_;
};

}  // namespace atl::cuda
