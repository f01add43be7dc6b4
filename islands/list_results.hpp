#pragma once

#include <array>
#include <cstdint>

#include "islands/archipelago/island.hpp"
#include "islands/archipelago/search.hpp"
#include "src/core/run_state.hpp"
#include "src/results/archive/gains.hpp"
#include "src/results/written/list_figures.hpp"

namespace atl {

/// Version of a search for lists and its state: raised when the same experiment finds other lists.
inline constexpr std::uint32_t list_search_version = 4;

/// The results of a search for decision lists.
class ListResults : public Results {
 public:
  /// @pre a list has been found
  virtual ListFront front() const = 0;
  /// Two numbers that grow when the search gains: 1 / share of the rows that the best lists get
  /// wrong, on the inner folds that they have not seen (0 without folds), and on all training rows
  /// with what their comparisons cost.
  virtual std::array<double, 2> worth() const = 0;
};

/// The lists that the state of a search has found.
/// @throws BadBytes if it is malformed
ListFront list_front(const Search& search, const RunState& state);
/// The worth of these lists. @throws BadBytes likewise
ArchiveWorth list_worth(const Search& search, const RunState& state);
/// Looks at the worth of lists. A gain is a hundredth above the last: of the wrong rows a hundredth
/// fewer are. So it means the same where few rows are wrong and where many are.
GainWatch list_gain_watch();

}  // namespace atl
