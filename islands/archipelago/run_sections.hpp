// Names of the sections of a run's state, and the one that all algorithms share.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "islands/archipelago/island.hpp"
#include "src/core/run_state.hpp"
#include "src/results/written/history.hpp"

namespace atl {

inline constexpr const char* results_section = "results";
std::string island_section(std::uint32_t island);
/// Whose section it is; nothing if it is no island's.
std::optional<std::uint32_t> island_of_section(std::string_view name);

Section section_of(std::uint32_t number, const Island& island);
/// @param name  results_section, or part_results_section() where it is that of some islands alone
Section section_of(const Results& results, std::string name = results_section);
/// Of the islands from `first` on: a part of a checkpoint has a name that no other part has.
std::string part_results_section(std::uint32_t first);
bool is_results_section(std::string_view name);
/// The sections of results: of a whole state at least one, of what a rank goes on from perhaps
/// none.
/// @throws BadBytes if one is of another version
std::vector<std::span<const std::byte>> results_of(const RunState& state, std::uint32_t version);
/// Takes all of them in. @throws BadBytes
void merge_results(const RunState& state, Results& results);

Section history_section(const History& history);
bool has_history(const RunState& state);
/// Former versions kept all rows. @throws BadBytes if it is malformed or out of order
History history_of(const RunState& state);

/// What an island has to know of its history to go on.
struct IslandHistory {
  HistoryRow last;  ///< of the generation that it has completed
  HistoryBest best;
};
/// In a part of a checkpoint. @param islands  neighbours, ascending, at least one
Section section_of(std::span<const IslandHistory> islands);
/// Of all parts in a state, ascending by island. @throws BadBytes if an island is there twice
std::vector<IslandHistory> island_histories_of(const RunState& state);

/// Rows one after the other, as the history file has them.
Bytes encode(std::span<const HistoryRow> rows);
/// @throws BadBytes
std::vector<HistoryRow> decode_history_rows(std::span<const std::byte> bytes);

}  // namespace atl
