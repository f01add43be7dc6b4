#pragma once

#include <string>

#include "src/core/communicator.hpp"

namespace atl::io {

/// Collective. Does every rank see rank 0's file? Told by its size and its trailer, which holds the
/// hash of the rest. A parallel open of different files, such as old copies on some nodes' own
/// disks, would hang the job.
/// @throws BadData, on every rank, with the lowest rank that sees another file or none
void require_same_file(const std::string& path, Communicator& communicator);

}  // namespace atl::io
