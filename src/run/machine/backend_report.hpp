// What people and the log are told of the backends of all ranks.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "src/core/context.hpp"
#include "src/run/log/run_log.hpp"

namespace atl {

/// Collective. @param device  the rank's GPU, with at least its name ("gpu") and "uuid"; or empty
/// @param name     of the backend
/// @param reason   why it was chosen; empty if it was asked for
/// @param threads  of this rank
/// @param log      on rank 0
void report_backends(const nlohmann::ordered_json& device, const std::string& name,
                     const std::string& reason, unsigned threads, const Context& context,
                     RunLog* log);

}  // namespace atl
