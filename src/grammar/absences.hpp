#pragma once

#include <span>

#include "src/config/experiment.hpp"
#include "src/core/report.hpp"
#include "src/data/attribute.hpp"

namespace atl {

/// May rules only say that something is absent? As the experiment has it, or else unless the data
/// are a list of items (src/data/presence.hpp). Never of transactions.
/// @throws UsageError if the experiment asks for absences of items of transactions
bool derives_absences(const Experiment& experiment, std::span<const Attribute> attributes);

/// Says in a line where it is the data that decide against them, and where nothing can be decided.
void announce_absences(const Experiment& experiment, std::span<const Attribute> attributes,
                       const Report& report);

}  // namespace atl
