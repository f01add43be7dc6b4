// What one rank has of a run's state.
#pragma once

#include <cstdint>
#include <vector>

#include "src/core/run_state.hpp"
#include "src/results/written/history.hpp"

namespace atl {

/// Copies, so that islands need not wait until they are written.
struct PartialState {
  std::uint32_t first_island = 0;
  RunState state;                ///< with a section for each of its islands, for their history, and
                                 ///< for what the rank has found
  std::vector<HistoryRow> rows;  ///< of history that are to be kept, by generation, then island
};

}  // namespace atl
