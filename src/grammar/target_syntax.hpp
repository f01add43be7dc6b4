// Checks and splits targets before the data are known.
#pragma once

#include <optional>
#include <string>

#include "src/config/experiment.hpp"

namespace atl {

/// The attribute that a target is about: of "a=*", "a > 41", "a" and "mean(a)"; nothing of a text
/// that has no such form. Whether the data have it is not known.
std::optional<std::string> target_attribute(const std::string& target);

/// Is the target a name alone, as "income"?
bool is_name_alone(const std::string& target);

/// @param source  what messages call the text
/// @throws UsageError if the text is no comparison, whatever the data are
void expect_comparison_syntax(const std::string& text, const std::string& source);

/// @throws UsageError if the text is no target, whatever the data are
void expect_target_syntax(const std::string& target);
/// Checks all targets of the experiment likewise, also those of single islands.
/// @pre experiment.validate() passes
void expect_target_syntax(const Experiment& experiment);

}  // namespace atl
