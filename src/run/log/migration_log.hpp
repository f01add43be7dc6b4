#pragma once

#include <cstdint>
#include <span>

#include "islands/archipelago/migration.hpp"
#include "src/config/experiment.hpp"
#include "src/core/communicator.hpp"
#include "src/run/log/run_log.hpp"

namespace atl {

/// @throws UsageError if migrations are to be logged that have no common pace
void expect_loggable_migration(const RunConfiguration& configuration);

/// Writes a record `migration` of all ranks' moves. Collective.
/// @param log  rank 0's
void log_migration(std::uint32_t generation, std::span<const Move> moves,
                   Communicator& communicator, RunLog* log);

}  // namespace atl
