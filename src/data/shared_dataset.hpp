#pragma once

#include <cstdint>
#include <optional>

#include "src/core/communicator.hpp"
#include "src/core/host_memory.hpp"
#include "src/data/dataset.hpp"

namespace atl {

struct SharedDataset {
  Dataset dataset;
  std::uint64_t copies = 1;  ///< of the planes, that all ranks together hold
};

/// Hands rank 0's dataset to all ranks. The ranks of a host share one copy of the planes, which
/// cannot be written to any more; where the host does not let them, each has a copy of its own.
/// Planes of rank 0 are freed as they are handed on, so that it holds little more than one copy.
/// Collective.
/// @param of_root  on rank 0; ignored on the others
/// @param host  of this rank
SharedDataset share(std::optional<Dataset> of_root, Communicator& ranks, int host = host_number());

}  // namespace atl
