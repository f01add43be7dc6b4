#pragma once

#include <cstdint>

#include "islands/archipelago/island.hpp"
#include "islands/archipelago/search.hpp"
#include "src/core/run_state.hpp"
#include "src/results/written/list_figures.hpp"

namespace atl {

/// Version of a search for lists and its state: raised when the same experiment finds other lists.
inline constexpr std::uint32_t list_search_version = 4;

/// The results of a search for decision lists.
class ListResults : public Results {
 public:
  /// @pre a list has been found
  virtual ListFront front() const = 0;
};

/// The lists that the state of a search has found.
/// @throws BadBytes if it is malformed
ListFront list_front(const Search& search, const RunState& state);

}  // namespace atl
