// Individuals on their way between islands.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>

#include "src/core/bytes.hpp"

namespace atl {

/// An individual as its island has encoded it, once for all islands that it goes to.
struct Migrant {
  std::uint32_t from = 0;
  std::uint32_t slot = 0;  ///< there, before any left
  std::shared_ptr<const Bytes> content;
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

}  // namespace atl
