// The options of `mine` that decide the result.
#pragma once

#include <string>

#include "src/config/experiment.hpp"

namespace CLI {
class App;
}

namespace atl {

/// Adds them to the command. What was given is found again by its name.
void add_experiment_options(CLI::App& command);

/// Defaults of the preset with the given options over them. Reads the grammar's file.
/// @throws UsageError, MissingInput, BadCell
Experiment experiment_from(const CLI::App& command);

/// What messages call the grammar: its file, or "grammar association".
std::string grammar_name(const CLI::App& command);

}  // namespace atl
