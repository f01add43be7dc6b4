// Whether an exact search of a table is worth a hint.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "src/config/experiment.hpp"
#include "src/data/dataset.hpp"

namespace atl {

/// Does the run look for what the best rules by leverage are?
bool is_after_leverage(const Experiment& experiment);

/// Has it labels only, so few that exact_search_hint() may look into the table?
bool is_small_table_of_labels(std::span<const Attribute> attributes, std::uint64_t rows);

/// Says that an exact search takes little time, and how much; nothing if it takes long.
/// @pre is_small_table_of_labels()
std::optional<std::string> exact_search_hint(const Dataset& dataset,
                                             const SupportThreshold& min_support,
                                             std::uint32_t threads);

}  // namespace atl
