#include "src/eval/bound_comparison.hpp"

#include <algorithm>

namespace atl {

BoundOperand bind(const Comparison& comparison, const Attribute& attribute) noexcept {
  BoundComparison bound{comparison.attribute, BoundKind::never, comparison.negated, false, 0, 0};
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
  } else if (comparison.low == 0) {
    bound.kind = BoundKind::greater;
    bound.low = high;
    bound.complement = !bound.complement;
  } else if (high == last) {
    bound.kind = BoundKind::greater;
    bound.low = comparison.low - 1;
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
