#pragma once

#include "src/app/backend.hpp"
#include "src/app/context.hpp"
#include "src/app/run_log.hpp"

namespace atl {

/// Tells what the ranks count with: people what was chosen for them and whether devices are shared,
/// the log a "device" record for each rank. Collective.
/// @param threads  of this rank
/// @param log  on rank 0
void report_backends(const Backend& backend, unsigned threads, const Context& context, RunLog* log);

}  // namespace atl
