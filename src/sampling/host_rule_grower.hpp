#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "src/sampling/rule_grower.hpp"

namespace atl {

/// Grows on the calling thread, task by task.
class HostRuleGrower : public RuleGrower {
 public:
  void start(std::span<const GrowthTask> tasks) final {
    grown_.clear();
    for (const GrowthTask& task : tasks) grown_.push_back(grow(task));
  }
  void read(std::span<std::optional<Grown>> out) final {
    std::move(grown_.begin(), grown_.end(), out.begin());
  }

 private:
  virtual std::optional<Grown> grow(const GrowthTask& task) = 0;

  std::vector<std::optional<Grown>> grown_;
};

}  // namespace atl
