// Names and places of settings in version 0.1 that are others now. The next version deletes this
// file. Heavy: for .cpp files only.
#pragma once

#include <string>

#include "src/config/algorithm.hpp"
#include "src/config/toml_text.hpp"
#include "src/core/report.hpp"

namespace atl {

/// Brings a preset or a run's configuration into today's form: keys of a preset under [experiment],
/// today's name of the algorithm, and the algorithm's keys in its section. Keys of other
/// algorithms, which had no effect, go.
/// @param report  if any, gets a warning with the new name or place for each change
void translate_former_names(toml::table& document, const std::string& file,
                            AlgorithmTable algorithms, const Report& report);

}  // namespace atl
