// Exchange of individuals between islands, wherever they live.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "islands/individual.hpp"
#include "src/core/communicator.hpp"

namespace atl {

/// Rank that an island lives on.
inline int rank_of(std::uint32_t island, int ranks) noexcept {
  return static_cast<int>(island % static_cast<std::uint32_t>(ranks));
}

/// What an island sends to each of its destinations.
struct Emigrants {
  std::uint32_t island = 0;
  std::vector<std::uint32_t> destinations;  ///< ascending
  std::vector<Individual> individuals;
};

/// What came for the islands of a rank: each individual once, for however many of them.
class Arrivals {
 public:
  /// @param emigrants  with destinations of this rank alone
  explicit Arrivals(std::vector<Emigrants> emigrants);
  /// For one island, by source, then in the order in which they were sent.
  std::vector<const Individual*> at(std::uint32_t island) const;

 private:
  std::vector<Emigrants> emigrants_;                            // by source
  std::vector<std::pair<std::uint32_t, std::uint32_t>> order_;  // destination, which of these
};

/// Delivers emigrants, once to each rank that has destinations of theirs. Collective.
/// @param local  of islands of this rank
Arrivals migrate(std::vector<Emigrants> local, const BoundGrammar& grammar,
                 Communicator& communicator);

}  // namespace atl
