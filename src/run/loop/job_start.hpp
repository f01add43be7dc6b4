// What a job says when it begins. Rank 0's.
#pragma once

#include <cstdint>

#include "src/core/context.hpp"
#include "src/run/job_settings.hpp"
#include "src/run/loop/mining_parts.hpp"

namespace atl {

/// The first record of the job in the log.
/// @param job  its number in the run, from 1
/// @param generation  from which it goes on
/// @param dependence_seconds  that it took to look at the data
void log_start(const MiningParts& parts, const JobSettings& settings, const Context& context,
               std::uint32_t job, std::uint32_t generation, double dependence_seconds);

}  // namespace atl
