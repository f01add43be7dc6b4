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
/// The option that sets a key of the experiment: "--max-bins" of max_bins and attribute_bins.
std::string option_of(const Experiment& experiment, const std::string& key);
/// "another --seed, another --max-bins": options that another experiment has other values of, with
/// "and more" behind the first three; of another algorithm this alone. "" if none differs.
std::string differing_options(const Experiment& experiment, const Experiment& other);
/// "" if the experiment's algorithm does not take the key.
std::string value_of(const std::vector<ExperimentSetting>& settings, const std::string& key);

}  // namespace atl
