// The options of `mine` and `classify train` that decide the result.
#pragma once

#include <string>

#include "src/config/experiment.hpp"

namespace CLI {
class App;
}

namespace atl {

/// Adds those that the algorithms take to the command. What was given is found again by its name.
/// @param algorithms  that can be chosen, the default first: all for rules, or that for lists
void add_experiment_options(CLI::App& command, AlgorithmTable algorithms);

/// Defaults of the preset with the given options over them. Reads the grammar's file.
/// @param report  if any, gets a warning for each former name of the preset
/// @throws UsageError, MissingInput, BadCell
Experiment experiment_from(const CLI::App& command, AlgorithmTable algorithms,
                           const Report& report = {});

/// The name of the grammar in messages: its file, or "grammar association".
std::string grammar_name(const CLI::App& command, AlgorithmTable algorithms);

}  // namespace atl
