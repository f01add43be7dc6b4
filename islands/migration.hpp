// Exchange of individuals between islands, wherever they live.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "islands/individual.hpp"
#include "islands/placement.hpp"
#include "src/core/communicator.hpp"
#include "src/grammar/island_grammars.hpp"

namespace atl {

/// What an island sends to each of its destinations.
struct Emigrants {
  std::uint32_t island = 0;
  std::vector<std::uint32_t> destinations;  ///< ascending
  std::vector<std::uint32_t> slots;         ///< of the individuals at home, before any left
  std::vector<Individual> individuals;
  const BoundGrammar* grammar = nullptr;  ///< of the island
};

/// An individual that came to an island.
struct Arrival {
  std::uint32_t from = 0;
  std::uint32_t slot = 0;  ///< there
  const Individual* individual = nullptr;
  const BoundGrammar* grammar = nullptr;  ///< that it is a derivation of
};

/// Of one individual to one island.
struct Move {
  static constexpr std::uint32_t nowhere = ~std::uint32_t{0};
  std::uint32_t from = 0;
  std::uint32_t slot = 0;  ///< there, before any left
  std::uint32_t to = 0;
  std::uint32_t place = nowhere;  ///< that it took there, behind all others if there was room
  friend auto operator<=>(const Move&, const Move&) = default;
};

/// Its destinations, by the rank that they live on.
std::map<int, std::vector<std::uint32_t>> destinations_by_rank(const Emigrants& emigrants,
                                                               const Placement& placement);
/// As they travel, to some of their destinations.
Bytes encode(const Emigrants& emigrants, std::span<const std::uint32_t> destinations);
/// @throws BadBytes
Emigrants decode_emigrants(const Bytes& bytes, const IslandGrammars& grammars);

/// What came for the islands of a rank: each individual once, for however many of them.
class Arrivals {
 public:
  /// @param emigrants  with destinations of this rank alone
  explicit Arrivals(std::vector<Emigrants> emigrants);
  /// For one island, by source, then in the order in which they were sent.
  std::vector<Arrival> at(std::uint32_t island) const;

 private:
  std::vector<Emigrants> emigrants_;                            // by source
  std::vector<std::pair<std::uint32_t, std::uint32_t>> order_;  // destination, which of these
};

/// Delivers emigrants, once to each rank that has destinations of theirs. Collective.
/// @param local  of islands of this rank
Arrivals migrate(std::vector<Emigrants> local, const IslandGrammars& grammars,
                 const Placement& placement, Communicator& communicator);

}  // namespace atl
