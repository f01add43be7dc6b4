#pragma once

#include <string>

#include "src/core/report.hpp"

namespace atl {

/// What `info` says of a run, as text or JSON, with a newline at the end.
/// @throws MissingInput if the folder is no run, BadData if all its checkpoints are damaged
std::string run_report(const std::string& folder, bool json, const Report& report);

}  // namespace atl
