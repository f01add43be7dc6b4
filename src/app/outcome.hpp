// How a command ended on each rank, and what the job as a whole makes of it.
#pragma once

#include "mpi/session.hpp"
#include "src/core/agreement.hpp"

namespace atl {

/// Prints each failure once and agrees on one status. Where a rank failed while others wait for it
/// elsewhere, ends the whole job instead. Collective.
/// @param session  null in one process
ExitStatus conclude(const Outcome& outcome, Communicator& communicator, mpi::Session* session);

}  // namespace atl
