#pragma once

#include <string>
#include <vector>

#include "src/config/experiment.hpp"

namespace atl {

/// A key of [experiment] or of the algorithm's section, and its value as TOML.
struct ExperimentSetting {
  std::string key, value;
  friend bool operator==(const ExperimentSetting&, const ExperimentSetting&) = default;
};

/// Every common key, in a fixed order, then those of the algorithm.
std::vector<ExperimentSetting> settings_of(const Experiment& experiment);
/// "" if the experiment's algorithm does not take the key.
std::string value_of(const std::vector<ExperimentSetting>& settings, const std::string& key);

}  // namespace atl
