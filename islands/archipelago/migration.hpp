// Exchange of individuals between islands, wherever they live.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "islands/archipelago/migrant.hpp"
#include "src/core/bytes.hpp"

namespace atl {

/// What an island sends to each of its destinations.
struct Emigrants {
  std::uint32_t island = 0;
  std::uint32_t generation = 0;             ///< after which they leave
  std::vector<std::uint32_t> destinations;  ///< ascending
  std::vector<Migrant> migrants;            ///< from this island
};

/// What became of immigrants after a generation, ordered by destination, then source, then as sent.
struct MigrationMoves {
  std::uint32_t generation = 0;
  std::vector<Move> moves;
};

/// As they travel, to some of their destinations.
void encode(ByteWriter& out, const Emigrants& emigrants,
            std::span<const std::uint32_t> destinations);
/// @throws BadBytes
Emigrants decode_emigrants(ByteReader& in);

}  // namespace atl
