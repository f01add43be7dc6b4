// Exchange of individuals between islands, wherever they live.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "src/core/bytes.hpp"

namespace atl {

/// An individual as its island has encoded it, once for all islands that it goes to.
struct Migrant {
  std::uint32_t from = 0;
  std::uint32_t slot = 0;  ///< there, before any left
  std::shared_ptr<const Bytes> content;
};

/// The move of one individual to one island.
struct Move {
  static constexpr std::uint32_t nowhere = ~std::uint32_t{0};
  std::uint32_t from = 0;
  std::uint32_t slot = 0;  ///< there, before any left
  std::uint32_t to = 0;
  std::uint32_t place = nowhere;  ///< that it took there, behind all others if there was room
  friend auto operator<=>(const Move&, const Move&) = default;
};

/// The individuals that an island sends to each of its destinations.
struct Emigrants {
  std::uint32_t island = 0;
  std::uint32_t generation = 0;             ///< after which they leave
  std::vector<std::uint32_t> destinations;  ///< ascending
  std::vector<Migrant> migrants;            ///< from this island
};

/// The moves of immigrants after a generation, ordered by destination, then source, then as sent.
struct MigrationMoves {
  std::uint32_t generation = 0;
  std::vector<Move> moves;
};

/// Writes emigrants as they travel, to some of their destinations.
void encode(ByteWriter& out, const Emigrants& emigrants,
            std::span<const std::uint32_t> destinations);
/// @throws BadBytes
Emigrants decode_emigrants(ByteReader& in);

}  // namespace atl
