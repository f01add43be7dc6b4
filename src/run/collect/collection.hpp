// Several runs of the same data, made into one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/config/experiment.hpp"
#include "src/core/report.hpp"
#include "src/results/compare/mined_run.hpp"
#include "src/run/machine/backend.hpp"

namespace atl {

struct CollectionPlan {
  std::vector<std::string> folders;  ///< of the runs
  std::string output;                ///< folder of the run to make
  bool force = false;                ///< it may replace one
  std::uint32_t top = 0;             ///< rules to write, 0: the most that one of the runs has
  Machine machine;
  ChooseBackend choose_backend;
};

/// Merges the archives and writes the run. Leaves the folder as it was if it fails.
/// @return the runs with what they gave
/// @throws UsageError for runs that do not go together; BadData, MissingInput, CannotCreate,
/// IoError
std::vector<MinedRun> collect_runs(const CollectionPlan& plan, const Report& report);

}  // namespace atl
