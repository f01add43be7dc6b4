// What --preset stands for.
#pragma once

#include <string>
#include <vector>

#include "src/config/experiment.hpp"

namespace atl {

/// The content of a file where a built-in name could stand, too.
/// @param otherwise  what has such names
/// @throws MissingInput and as read_file
std::string read_named_file(const std::string& name, const std::string& otherwise);

/// The choice that a text stands for; a file's rows are read.
/// @throws as HoldoutChoice::parse and read_named_file; BadData
HoldoutChoice holdout_from(const std::string& text);

bool is_builtin_grammar(const std::string& name);
/// Names of the measures written if none are asked for.
std::vector<std::string> default_measure_names(bool of_means);
/// The grammar of presets that name none.
inline constexpr const char* default_grammar = "association";
/// That of one of the algorithms, or a file's. The grammar is a text and measures are named,
/// whatever the preset has.
/// @param report  if any, gets a warning for each former name
/// @throws MissingInput; BadData naming the place
Experiment preset_from(const std::string& name, AlgorithmTable algorithms, const Report& report);

}  // namespace atl
