// A search from its beginning to its end on this process alone. Nothing is saved on the way.
#pragma once

#include <functional>
#include <optional>

#include "islands/archipelago/search.hpp"
#include "src/config/experiment.hpp"
#include "src/core/run_state.hpp"
#include "src/core/thread_pool.hpp"

namespace atl {

/// Ends after the experiment's generations or its time limit. Blocking.
/// @param dataset  of the state's header
/// @param stop  asked every few generations
/// @return the whole state at the end; nothing if it was stopped
std::optional<RunState> search_to_end(const Experiment& experiment, Search& search,
                                      const Fingerprint& dataset, ThreadPool& pool,
                                      const std::function<bool()>& stop);

}  // namespace atl
