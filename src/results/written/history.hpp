#pragma once

#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
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

/// Which generations history.csv has of every island, apart from improvements and the last one. By
/// the experiment alone.
class HistoryThinning {
 public:
  /// @param every  generations; 0: automatic, a power of two
  /// @param generations  that the run has, so that the choice is the same for all of them; nothing
  ///                     if it may end at any time: then it begins with each and doubles
  HistoryThinning(std::uint32_t every, std::uint32_t islands,
                  std::optional<std::uint32_t> generations);

  bool keeps(std::uint32_t generation) const noexcept;
  /// Of the generations from 0 to this one, how many it keeps.
  std::uint64_t kept_up_to(std::uint32_t generation) const noexcept;

 private:
  /// Generations from `first` on, of which each `every`-th is kept, up to the next phase.
  struct Phase {
    std::uint64_t first, every;
  };
  Phase phase_of(std::uint32_t generation) const noexcept;

  std::uint64_t every_;
  std::uint64_t rows_of_phase_ = 0;  // of an island; 0: there is one phase
};

/// The greatest value of each measure so far.
class HistoryBest {
 public:
  HistoryBest() = default;
  explicit HistoryBest(std::vector<double> best) : best_(std::move(best)) {}

  const std::vector<double>& best() const noexcept { return best_; }  ///< empty before any row
  /// Takes in a row. @return whether it has a greater value of some measure than all before it
  bool improves(const HistoryRow& row);

 private:
  std::vector<double> best_;
};

struct History {
  std::vector<HistoryRow> kept;  ///< by generation, then island
  std::vector<HistoryRow> last;  ///< of each island, ascending; those that are kept, too

  /// What history.csv has: each row once, by generation, then island.
  std::vector<HistoryRow> rows() const;
};

/// @param history  by generation, then island, and so afterwards
/// @param rows     in any order
void add_to_history(std::vector<HistoryRow>& history, std::vector<HistoryRow> rows);

}  // namespace atl
