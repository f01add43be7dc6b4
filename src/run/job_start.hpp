// What a job says when it begins. Rank 0's.
#pragma once

#include <cstdint>

#include "src/core/context.hpp"
#include "src/data/dependence.hpp"
#include "src/run/job.hpp"
#include "src/run/mining_parts.hpp"

namespace atl {

/// The first record of the job in the log.
/// @param job  its number in the run, from 1
/// @param generation  from which it goes on
/// @param dependence_seconds  that dependences between attributes took
void log_start(const MiningParts& parts, const JobSettings& settings, const Context& context,
               std::uint32_t job, std::uint32_t generation, double dependence_seconds);

/// What a user should know of the data and the aim before a run: dependences between attributes,
/// support that is thin, labels that name nothing, targets that no rule can reach. Counts the
/// targets; blocking.
void report_data(MiningParts& parts, const Experiment& experiment, const Dependences& dependences,
                 const Report& report);

}  // namespace atl
