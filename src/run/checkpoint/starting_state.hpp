#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "io/run/checkpoint_files.hpp"
#include "io/run/checkpoint_store.hpp"
#include "islands/archipelago/archipelago.hpp"
#include "islands/archipelago/placement.hpp"
#include "src/config/experiment.hpp"
#include "src/core/context.hpp"
#include "src/run/checkpoint/checkpoint_parts.hpp"
#include "src/run/job_settings.hpp"

namespace atl {

/// The state that a rank goes on from.
struct StartingState {
  /// The state with the sections that this rank needs; nothing if there is no checkpoint.
  std::optional<RunState> own;
  std::unique_ptr<io::HistoryFile> history;  ///< on rank 0
};

/// Takes up the newest checkpoint that is undamaged as a whole. Each rank reads what it needs,
/// rank 0 for those that do not see RUN. Collective.
/// @param store  of rank 0, null elsewhere
/// @param archipelago  that is to go on; checkpoints that contradict it count as damaged
/// @param team_size  ranks with the same islands, which are neighbours
/// @throws BadData if all belong to another experiment or other data, or none is undamaged
StartingState state_to_go_on_from(io::CheckpointStore* store, const Fingerprint& dataset,
                                  const JobSettings& settings, const RunView& view,
                                  const Archipelago& archipelago, int team_size,
                                  const Context& context);

}  // namespace atl
