#pragma once

#include <optional>

#include "io/run/checkpoint_store.hpp"
#include "islands/archipelago.hpp"
#include "src/config/experiment.hpp"
#include "src/core/communicator.hpp"
#include "src/run/job.hpp"

namespace atl {

/// The state that a job goes on from, read by rank 0, for all; nothing if there is no checkpoint.
/// Collective.
/// @param store  of rank 0, null elsewhere
/// @param archipelago  that is to go on; checkpoints that contradict it count as damaged
/// @throws BadData if all belong to another experiment or other data, or none is undamaged
std::optional<RunState> state_to_go_on_from(io::CheckpointStore* store,
                                            const Experiment& experiment,
                                            const Fingerprint& dataset, const JobSettings& settings,
                                            const Archipelago& archipelago,
                                            Communicator& communicator);

}  // namespace atl
