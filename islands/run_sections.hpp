// Names of the sections of a run's state, and the one that all algorithms share.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "islands/island.hpp"
#include "src/core/run_state.hpp"
#include "src/results/history.hpp"

namespace atl {

inline constexpr const char* results_section = "results";
std::string island_section(std::uint32_t island);
bool is_island_section(std::string_view name);

Section section_of(std::uint32_t number, const Island& island);
Section section_of(const Results& results);

Section history_section(const History& history);
/// Former versions kept all rows. @throws BadBytes if it is malformed or out of order
History history_of(const RunState& state);

}  // namespace atl
