#pragma once

#include <string>
#include <vector>

#include "src/config/experiment.hpp"

namespace atl {

/// A key of [experiment], and its value as TOML.
struct ExperimentSetting {
  std::string key, value;
  friend bool operator==(const ExperimentSetting&, const ExperimentSetting&) = default;
};

/// Every key, in a fixed order.
std::vector<ExperimentSetting> settings_of(const Experiment& experiment);

}  // namespace atl
