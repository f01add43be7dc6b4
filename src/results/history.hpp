#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

namespace atl {

/// A line of history.csv: one island after one generation.
struct HistoryRow {
  std::uint32_t generation = 0;
  std::uint32_t island = 0;
  std::uint64_t evaluated = 0;  ///< rules evaluated so far by this island
  std::uint64_t feasible = 0;   ///< individuals of the population that meet all constraints
  std::vector<double> best;     ///< of each of all_maximized(), over the feasible; NaN if none
  std::vector<double> mean;     ///< likewise
  double mean_comparisons = 0;
};

/// The order of history.csv.
inline bool precedes(const HistoryRow& a, const HistoryRow& b) noexcept {
  return std::tie(a.generation, a.island) < std::tie(b.generation, b.island);
}

/// @param history  by generation, then island, and so afterwards
/// @param rows     in any order
void add_to_history(std::vector<HistoryRow>& history, std::vector<HistoryRow> rows);

}  // namespace atl
