// Exchange of individuals between islands, wherever they live.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "islands/migrant.hpp"
#include "islands/placement.hpp"
#include "src/core/bytes.hpp"
#include "src/core/communicator.hpp"

namespace atl {

/// What an island sends to each of its destinations.
struct Emigrants {
  std::uint32_t island = 0;
  std::vector<std::uint32_t> destinations;  ///< ascending
  std::vector<Migrant> migrants;            ///< from this island
};

/// Its destinations, by the rank that they live on.
std::map<int, std::vector<std::uint32_t>> destinations_by_rank(const Emigrants& emigrants,
                                                               const Placement& placement);
/// As they travel, to some of their destinations.
Bytes encode(const Emigrants& emigrants, std::span<const std::uint32_t> destinations);
/// @throws BadBytes
Emigrants decode_emigrants(const Bytes& bytes);

/// What came for the islands of a rank: each individual once, for however many of them.
class Arrivals {
 public:
  /// @param emigrants  with destinations of this rank alone
  explicit Arrivals(std::vector<Emigrants> emigrants);
  /// For one island, by source, then in the order in which they were sent.
  std::vector<Migrant> at(std::uint32_t island) const;

 private:
  std::vector<Emigrants> emigrants_;                            // by source
  std::vector<std::pair<std::uint32_t, std::uint32_t>> order_;  // destination, which of these
};

/// Delivers emigrants, once to each rank that has destinations of theirs. Collective.
/// @param local  of islands of this rank
Arrivals migrate(std::vector<Emigrants> local, const Placement& placement,
                 Communicator& communicator);

}  // namespace atl
