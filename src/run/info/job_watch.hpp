#pragma once

#include <string>

#include "src/config/experiment.hpp"

namespace atl {

/// Follows the job that works on a run by the run's log, and shows on standard output what it
/// writes there. Blocks until the job ends or is gone.
/// @param experiment  the run's
/// @return is the run finished?
bool watch_run(const std::string& folder, const Experiment& experiment);

}  // namespace atl
