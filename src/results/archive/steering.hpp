// Measures by which an experiment steers its search.
#pragma once

#include <string>
#include <vector>

#include "src/config/experiment.hpp"
#include "src/measures/measures.hpp"

namespace atl {

/// @throws UsageError for an unknown measure, or one that may not steer, or not this experiment
Measure steering_measure(const std::string& name, const Experiment& experiment);
/// experiment.maximize, in order. @throws UsageError
std::vector<Measure> steering_measures(const Experiment& experiment);
/// experiment.all_maximized(), in order. @throws UsageError
std::vector<Measure> all_steering_measures(const Experiment& experiment);
/// Does the search, on any island, look at what needs a rule's generalisations to be counted?
bool needs_generalisations(const Experiment& experiment);

}  // namespace atl
