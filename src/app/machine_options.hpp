// Options that do not change the result.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "src/config/experiment.hpp"

namespace CLI {
class App;
}

namespace atl {

/// --threads of a command that counts on the cores alone.
void add_threads_option(CLI::App& command);
/// --backend, --threads and --device-memory.
/// @param what_counts  help of --backend, where not all it counts may be on a GPU
void add_counting_options(CLI::App& command, const char* what_counts = nullptr);
/// Puts those over `machine` that the command has and that are given. @throws UsageError
void apply_counting_options(const CLI::App& command, Machine& machine);

/// --memory-limit. @param what  it is for
void add_memory_limit_option(CLI::App& command, const std::string& what);
/// In bytes, if it is given. @throws UsageError
std::optional<std::uint64_t> memory_limit(const CLI::App& command);

/// Seconds of a duration, "90s" or "90", longer than none. @throws UsageError
double duration_option(const std::string& option, const std::string& text);

/// These, and what else a job may be told.
void add_machine_options(CLI::App& command);

/// Options for how ranks form teams, for commands whose ranks may.
void add_team_options(CLI::App& command);

/// Puts the given options over `machine`. @throws UsageError
void apply_machine_options(const CLI::App& command, Machine& machine);

/// Seconds after which this job stops (--stop-after), 0 = never. @throws UsageError
double stop_after(const CLI::App& command);

}  // namespace atl
