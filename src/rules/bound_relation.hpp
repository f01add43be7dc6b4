#pragma once

#include <cstdint>

namespace atl {

/// The comparisons that a symbol bound to the data stands for.
enum class BoundRelation : std::uint8_t {
  equal,
  not_equal,
  less_equal,
  greater,
  interval,
  missing,
  known
};

/// Needs an attribute with an order.
constexpr bool needs_order(BoundRelation relation) noexcept {
  return relation >= BoundRelation::less_equal && relation <= BoundRelation::interval;
}

/// Asks whether there is a value, and for no codes.
constexpr bool asks_presence(BoundRelation relation) noexcept {
  return relation >= BoundRelation::missing;
}

}  // namespace atl
