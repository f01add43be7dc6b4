// The options of `mine` that are keys of algorithms.
#pragma once

#include <map>
#include <string>

#include "src/config/experiment.hpp"

namespace CLI {
class App;
}

namespace atl {

/// One option for each key, whichever algorithms take it.
/// @param defaults  by key
void add_algorithm_options(CLI::App& command, const std::map<std::string, std::string>& defaults);

/// Sets what was given. @throws UsageError, also for an option of other algorithms
void apply_algorithm_options(const CLI::App& command, Experiment& experiment);

}  // namespace atl
