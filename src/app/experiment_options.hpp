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
/// @param report  if any, gets a warning for each former name of the preset
/// @throws UsageError, MissingInput, BadCell
Experiment experiment_from(const CLI::App& command, const Report& report = {});

/// What messages call the grammar: its file, or "grammar association".
std::string grammar_name(const CLI::App& command);

}  // namespace atl
