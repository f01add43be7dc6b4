// Options that do not change the result.
#pragma once

#include "src/config/experiment.hpp"

namespace CLI {
class App;
}

namespace atl {

/// Options for what counts, and on how many threads.
void add_counting_options(CLI::App& command);
void apply_counting_options(const CLI::App& command, Machine& machine);

/// These, and what else a job may be told.
void add_machine_options(CLI::App& command);

/// Options for how ranks form teams, for commands whose ranks may.
void add_team_options(CLI::App& command);

/// Puts the given options over `machine`. @throws UsageError
void apply_machine_options(const CLI::App& command, Machine& machine);

/// Seconds after which this job stops (--stop-after), 0 = never. @throws UsageError
double stop_after(const CLI::App& command);

}  // namespace atl
