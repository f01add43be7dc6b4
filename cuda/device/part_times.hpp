// Device time of the parts of a batch.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "cuda/device/handles.hpp"

namespace atl::cuda {

/// @tparam Seconds  has a member of type double for each part
template <typename Seconds>
class PartTimes {
 public:
  /// Forgets what was recorded. @param wanted  else nothing will be
  void restart(bool wanted) {
    wanted_ = wanted;
    used_ = 0;
  }

  /// Begins a part: work in the stream counts as it until the end.
  void begin(double Seconds::*part, cudaStream_t stream) {
    if (!wanted_) return;
    if (used_ == intervals_.size()) intervals_.push_back(std::make_unique<Interval>());
    intervals_[used_]->part = part;
    intervals_[used_]->first.record(stream);
  }
  void end(cudaStream_t stream) {
    if (wanted_) intervals_[used_++]->last.record(stream);
  }

  /// @pre all of it is done
  Seconds seconds() const {
    Seconds sum;
    for (std::size_t i = 0; i < used_; ++i) {
      const Interval& interval = *intervals_[i];
      sum.*interval.part += interval.last.seconds_since(interval.first);
    }
    return sum;
  }

 private:
  struct Interval {
    Event first, last;
    double Seconds::*part = nullptr;
  };

  std::vector<std::unique_ptr<Interval>> intervals_;
  std::size_t used_ = 0;
  bool wanted_ = false;
};

}  // namespace atl::cuda
