// The same search with other seeds: which rules are found again says how sure they are.
#pragma once

#include <string>
#include <vector>

#include "src/core/context.hpp"
#include "src/core/run_state.hpp"
#include "src/results/written/written_rule.hpp"
#include "src/run/job_settings.hpp"
#include "src/run/loop/mining_parts.hpp"
#include "src/work/job_limits.hpp"

namespace atl {

/// Is the list written that the search makes when it ends, without found_again? Repeats begin
/// after it.
bool list_is_written(const JobSettings& settings);

/// Goes on with the repeats of a run, one after the other, until all have ended or something stops
/// them. Each is a run in a folder of its own in RUN, with its own checkpoints, on the rows of the
/// run. Those that have ended are passed over. Collective.
/// @param settings  of the run, whose search has ended
/// @param parts     of the run
/// @return finished, or why not
StopReason go_on_with_repeats(const Context& context, const JobSettings& settings,
                              MiningParts& parts, const StopSignals& signals);

/// The rules of each repeat. None as long as one has not ended, and if there are no repeats.
std::vector<std::vector<WrittenRule>> rules_of_repeats(const JobSettings& settings);

/// "repeat 2 of 5: " of a repeat, before what its search says; else empty.
std::string repeat_text(const JobSettings& settings);

/// Says in a checkpoint that the search has ended and repeats are left.
Section ended_search_section();
bool has_ended_search(const RunState& state);

}  // namespace atl
