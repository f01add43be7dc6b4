// Exchange of individuals between islands, wherever they live.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "islands/individual.hpp"
#include "islands/topology.hpp"
#include "src/core/communicator.hpp"

namespace atl {

/// Rank that an island lives on.
inline int rank_of(std::uint32_t island, int ranks) noexcept {
  return static_cast<int>(island % static_cast<std::uint32_t>(ranks));
}

/// Individuals that one island sends to another.
struct Migration {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::vector<Individual> individuals;  ///< in the source population's order
};

/// What an island sends to each island that takes immigrants from it.
struct Emigrants {
  std::uint32_t island = 0;
  std::vector<Individual> individuals;
};

/// Delivers emigrants along the topology. Collective.
/// @param islands  number of all islands
/// @param local    one entry for each island of this rank
/// @return what came for this rank's islands, by destination, then source
std::vector<Migration> migrate(const Sources& sources, std::uint32_t islands,
                               std::span<const Emigrants> local, const BoundGrammar& grammar,
                               Communicator& communicator);

/// Replaces the last individuals of a ranked population, worst first, by those immigrants whose
/// rules it does not hold; at most all of it.
void immigrate(std::vector<Individual>& population, std::vector<Individual> immigrants);

}  // namespace atl
