// Options that are keys of algorithms.
#pragma once

#include <map>
#include <string>

#include "src/config/experiment.hpp"

namespace CLI {
class App;
}

namespace atl {

/// Defaults of the algorithms, by key: "200; NAME: 50"; nothing where an option is not given.
std::map<std::string, std::string> defaults_by_key(AlgorithmTable algorithms);

/// One option for each key, whichever of the algorithms take it.
/// @param defaults  by key
void add_algorithm_options(CLI::App& command, AlgorithmTable algorithms,
                           const std::map<std::string, std::string>& defaults);

/// Sets what was given. @throws UsageError, also for an option of others of the algorithms
void apply_algorithm_options(const CLI::App& command, AlgorithmTable algorithms,
                             Experiment& experiment);

}  // namespace atl
