// Device time of the stages of scoring decision lists.
#pragma once

#include <cstddef>
#include <cuda_runtime_api.h>
#include <memory>
#include <optional>
#include <vector>

#include "cuda/device/handles.hpp"
#include "src/eval/rule_set_scorer.hpp"

namespace atl::cuda {

class ListStageTimes {
 public:
  /// Forgets what was recorded. @param wanted  else nothing will be
  void restart(bool wanted) {
    wanted_ = wanted;
    used_ = 0;
  }

  /// Before a first stage; each later one begins where the one before ends.
  void begin(cudaStream_t stream) { record(nullptr, stream); }
  void end(double RuleSetStageSeconds::*stage, cudaStream_t stream) { record(stage, stream); }

  /// Nothing if it is not wanted. @pre all of it is done
  std::optional<RuleSetStageSeconds> seconds() const {
    if (!wanted_) return std::nullopt;
    RuleSetStageSeconds sums;
    for (std::size_t i = 0; i < used_; ++i) {
      const Moment& moment = *moments_[i];
      if (moment.stage == nullptr) continue;
      sums.*moment.stage += moment.event.seconds_since(moments_[i - 1]->event);
    }
    return sums;
  }

 private:
  struct Moment {
    Event event;
    double RuleSetStageSeconds::*stage = nullptr;  // that ends; none ends at the beginning
  };

  void record(double RuleSetStageSeconds::*stage, cudaStream_t stream) {
    if (!wanted_) return;
    if (used_ == moments_.size()) moments_.push_back(std::make_unique<Moment>());
    moments_[used_]->stage = stage;
    moments_[used_++]->event.record(stream);
  }

  std::vector<std::unique_ptr<Moment>> moments_;
  std::size_t used_ = 0;
  bool wanted_ = false;
};

}  // namespace atl::cuda
