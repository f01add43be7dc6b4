// The attribute that says which rows are held out: no rule is to name it.
#pragma once

#include <optional>
#include <string>

#include "src/config/experiment.hpp"

namespace atl {

/// The attribute of the condition that holds rows out, whether the data have it or not; nothing if
/// rows are held out otherwise, or none.
std::optional<std::string> split_attribute(const Experiment& experiment);

/// Excludes this attribute, also on islands with settings of their own.
/// @pre experiment.validate() passes
/// @throws UsageError if the condition is no comparison, or if rules are to name the attribute
void exclude_split_attribute(Experiment& experiment);

}  // namespace atl
