#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "islands/archipelago/island.hpp"
#include "islands/archipelago/search.hpp"
#include "src/config/experiment.hpp"
#include "src/core/run_state.hpp"
#include "src/results/archive/gains.hpp"
#include "src/results/written/list_figures.hpp"

namespace atl {

/// Version of a search for lists and its state: raised when the same experiment finds other lists.
inline constexpr std::uint32_t list_search_version = 6;

/// Most rules of a list: as the experiment says, or where it says 0, 40 or 4 of each class if that
/// is more; beyond 400 one of each class, as time and memory grow with their square.
std::size_t most_rules_of(const Experiment& experiment, std::size_t classes);

/// The results of a search for decision lists.
class ListResults : public Results {
 public:
  /// @pre a list has been found
  virtual ListFront front() const = 0;
  /// A number that grows when the search gains: 1 / what the best lists lose on the inner folds
  /// that they have not seen, as a share of the rows or as log-loss. Without folds on all training
  /// rows, with what their comparisons cost.
  virtual double worth() const = 0;
};

/// The results of a search for decision lists, out of its state.
/// @throws BadBytes if it is malformed
std::unique_ptr<ListResults> list_results(const Search& search, const RunState& state);
/// The worth of what a search for decision lists has found.
ArchiveWorth list_worth(const Results& results);
/// Looks at the worth of lists. A gain is a hundredth above the last: a hundredth less is lost. So
/// it means the same where few rows are wrong and where many are.
GainWatch list_gain_watch();

}  // namespace atl
