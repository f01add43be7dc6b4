#pragma once

#include <string>

#include "src/config/experiment.hpp"
#include "src/core/files/folder.hpp"
#include "src/core/report.hpp"

namespace atl {

/// Where an exact search for what the experiment is after takes little time, because the table is
/// small and has labels only, says so in a line. Reads the table to tell.
/// @param dataset  file; it may be in `run`
/// @throws as io::read_dataset
void tell_of_exact_search(const std::string& dataset, const io::Folder& run,
                          const RunConfiguration& configuration, const Report& report);

}  // namespace atl
