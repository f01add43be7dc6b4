// Comparisons in terms of bit planes.
#pragma once

#include <compare>
#include <cstdint>

#include "src/data/attribute.hpp"
#include "src/rules/comparison.hpp"

namespace atl {

enum class BoundKind : std::uint8_t {
  never,     ///< no row
  equal,     ///< code == low
  greater,   ///< code > low
  interval,  ///< low < code <= high
};

/// A comparison in terms of plane words: the rows of its kind, then complemented, then limited to
/// those where the attribute is present. Zero planes stand for a missing value; what is not limited
/// holds on none of them.
struct BoundComparison {
  std::uint32_t attribute = 0;
  BoundKind kind = BoundKind::never;
  bool complement = false;
  bool limit_to_present = false;
  std::uint32_t low = 0;   ///< 0 if the kind does not use it
  std::uint32_t high = 0;  ///< likewise
  friend auto operator<=>(const BoundComparison&, const BoundComparison&) = default;
};

/// The comparison on an attribute. Any interval and any codes are allowed, also beyond the
/// dictionary. The complement is left to the operand where the attribute has no missing values.
struct BoundOperand {
  BoundComparison comparison;
  bool complement = false;
};
BoundOperand bind(const Comparison& comparison, const Attribute& attribute) noexcept;

}  // namespace atl
