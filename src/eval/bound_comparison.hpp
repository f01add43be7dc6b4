// Comparisons in terms of bit planes.
#pragma once

#include <algorithm>
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
/// dictionary. The complement is left to the operand where the attribute has no missing values, and
/// for `is missing`, which is that of `is known`.
struct BoundOperand {
  BoundComparison comparison;
  bool complement = false;
};
// Inline: what is in registers then would be stored bit by bit and loaded as a whole, which waits.
inline BoundOperand bind(const Comparison& comparison, const Attribute& attribute) noexcept {
  BoundComparison bound{comparison.attribute, BoundKind::never, comparison.negated, false, 0, 0};
  if (asks_missing(comparison)) {
    const bool some = attribute.has_missing;
    return {{comparison.attribute, BoundKind::never, some, some, 0, 0}, some};
  }
  const std::uint32_t distinct = attribute.distinct();
  const std::uint32_t last = distinct - 1;
  const std::uint32_t high = std::min(comparison.high, last);
  if (distinct == 0 || comparison.low > high) {
    // No code lies in the interval.
  } else if (comparison.low == 0 && high == last) {
    bound.complement = !bound.complement;
  } else if (comparison.low == high) {
    bound.kind = BoundKind::equal;
    bound.low = high;
  } else if (comparison.low == 0 || high == last) {
    // No branch here: which of both it is cannot be foreseen.
    const bool from_first = comparison.low == 0;
    bound.kind = BoundKind::greater;
    bound.low = from_first ? high : comparison.low - 1;
    bound.complement = bound.complement != from_first;
  } else {
    bound.kind = BoundKind::interval;
    bound.low = comparison.low - 1;
    bound.high = high;
  }
  if (attribute.has_missing) {
    // The zero planes of missing values equal code 0, are greater than none and in no interval.
    const bool holds_on_zero = bound.kind == BoundKind::equal && bound.low == 0;
    bound.limit_to_present = holds_on_zero || bound.complement;
    return {bound, false};
  }
  const bool complement = bound.complement;
  bound.complement = false;
  return {bound, complement};
}

}  // namespace atl
