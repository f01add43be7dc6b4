#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "src/core/communicator.hpp"
#include "src/core/host_memory.hpp"
#include "src/data/dataset.hpp"
#include "src/data/divide.hpp"

namespace atl {

struct SharedDataset {
  Dataset dataset;
  /// Rows of each copy of the planes, or part of one, that all ranks together hold; that of rank 0
  /// is the first.
  std::vector<std::uint64_t> copies;
};

/// Hands rank 0's dataset to all ranks. The ranks of a host share one copy of the planes, which
/// cannot be written to any more; where the host does not let them, each has a copy of its own. A
/// copy has only the partitions in which there are rows that one of its ranks needs; rank 0's host,
/// or rank 0, has all. No partition is sent to where it is not needed.
/// Planes of rank 0 are freed as they are handed on, so that it holds little more than one copy.
/// Collective.
/// @param of_root  on rank 0; ignored on the others
/// @param needed  by this rank
/// @param host  of this rank
SharedDataset share(std::optional<Dataset> of_root, Communicator& ranks,
                    const RowShare& needed = {}, int host = host_number());

/// Makes these rows KeptRows on the ranks that do not hold all. Collective.
/// @param dataset  shared; rank 0 holds all
/// @param rows  equal on all ranks: ascending, each once
/// @param host  of this rank
void keep_rows(Dataset& dataset, std::vector<std::uint64_t> rows, Communicator& ranks,
               int host = host_number());

}  // namespace atl
