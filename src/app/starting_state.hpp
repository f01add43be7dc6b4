#pragma once

#include <optional>

#include "io/checkpoint_store.hpp"
#include "islands/run_state.hpp"
#include "src/app/job.hpp"
#include "src/core/communicator.hpp"
#include "src/core/experiment.hpp"

namespace atl {

/// The state that a job goes on from, read by rank 0, for all; nothing if there is no checkpoint.
/// Collective.
/// @param store  of rank 0, null elsewhere
/// @throws BadData if it belongs to another experiment or other data
std::optional<RunState> state_to_go_on_from(io::CheckpointStore* store,
                                            const Experiment& experiment,
                                            const IslandGrammars& grammars,
                                            const Fingerprint& dataset, const JobSettings& settings,
                                            Communicator& communicator);

}  // namespace atl
