// Names of the sections of a run's state, and the one that all algorithms share.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/core/run_state.hpp"
#include "src/results/history.hpp"

namespace atl {

inline constexpr const char* results_section = "results";
std::string island_section(std::uint32_t island);
bool is_island_section(std::string_view name);

/// @param history  by generation, then island
Section history_section(std::span<const HistoryRow> history);
/// @throws BadBytes
std::vector<HistoryRow> history_of(const RunState& state);

}  // namespace atl
