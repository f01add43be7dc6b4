#pragma once

#include <string>

namespace atl {

/// What `info` says of a run, as text or JSON, with a newline at the end. Reads only, and may be
/// asked while a job works on the run.
/// @throws as summarise_run
std::string run_report(const std::string& folder, bool json);

}  // namespace atl
