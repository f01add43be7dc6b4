// The findings of a benchmark for one size or data set.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "cuda/device/visible_devices.hpp"

namespace atl {

/// Keys and figures, in the order in which docs/reference/bench.md lists them. Seconds are seconds,
/// shares are between 0 and 1. A key that does not apply is absent.
using Record = nlohmann::ordered_json;

/// The figure of a key, or of "published.gpu_seconds" within a nested one. Null if it is absent.
const Record* figure_of(const Record& record, std::string key);

/// @pre it is there
double number_of(const Record& record, std::string key);

/// A JSON array, with a newline at its end.
std::string json_of(const std::vector<Record>& records);

/// Name and number of processors of this machine, after the device if there is one.
std::string machine_description(const std::optional<cuda::VisibleDevice>& device);

}  // namespace atl
