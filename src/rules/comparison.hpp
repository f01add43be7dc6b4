#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

#include "src/data/bit_planes.hpp"

namespace atl {

/// The relation of a comparison as it is written; in memory all of them are one interval of codes.
enum class Relation : std::uint8_t { less, less_equal, greater, greater_equal, equal, not_equal };

/// True on a row whose attribute is present and whose code is in [low, high], or, if negated,
/// outside of it. Always false on a missing value, negated or not, but for `A is missing`: its
/// interval is missing_code alone. `A is known` is the interval of all codes.
struct Comparison {
  std::uint32_t attribute = 0;
  std::uint32_t low = 0;
  std::uint32_t high = 0;  ///< inclusive, low <= high
  bool negated = false;
  friend auto operator<=>(const Comparison&, const Comparison&) = default;
};

/// `A is missing`: holds on the rows without a value, and on no other.
constexpr Comparison is_missing(std::uint32_t attribute) noexcept {
  return {attribute, missing_code, missing_code, false};
}
/// `A is known`: holds on the rows with a value.
constexpr Comparison is_known(std::uint32_t attribute, std::uint32_t distinct) noexcept {
  return {attribute, 0, distinct > 0 ? distinct - 1 : 0, false};
}
/// Is it `A is missing`? Its codes are none of the attribute's.
constexpr bool asks_missing(const Comparison& comparison) noexcept {
  return comparison.low == missing_code;
}
/// Is it `A is known`?
constexpr bool asks_known(const Comparison& comparison, std::uint32_t distinct) noexcept {
  return !comparison.negated && comparison.low == 0 && comparison.high + 1 == distinct;
}

/// Does it hold on a row with this code, or, if that is missing_code, on one without a value?
constexpr bool takes(const Comparison& comparison, std::uint32_t code) noexcept {
  const bool inside = comparison.low <= code && code <= comparison.high;
  return inside != (comparison.negated && code != missing_code);
}

/// A comparison, or that there is none: `< 0` holds on no code, which no interval can express.
struct ComparisonResult {
  bool satisfiable;
  Comparison comparison;  ///< canonical; meaningless if not satisfiable
};

/// The comparison `attribute relation code` among `distinct` codes. @pre code < distinct
ComparisonResult make_comparison(std::uint32_t attribute, Relation relation, std::uint32_t code,
                                 std::uint32_t distinct) noexcept;

/// Same rows, one form: a negated interval that touches an end of [0, distinct) becomes the
/// interval on the other side, unless it spans all codes. NOT (A is missing) is `A is known`.
Comparison canonical(Comparison comparison, std::uint32_t distinct) noexcept;

}  // namespace atl
