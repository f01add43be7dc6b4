#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace atl {

/// The relation of a comparison as it is written; in memory all of them are one interval of codes.
enum class Relation : std::uint8_t { less, less_equal, greater, greater_equal, equal, not_equal };

/// True on a row whose attribute is present and whose code is in [low, high], or, if negated,
/// outside of it. Always false on a missing value, negated or not.
struct Comparison {
  std::uint32_t attribute = 0;
  std::uint32_t low = 0;
  std::uint32_t high = 0;  ///< inclusive, low <= high
  bool negated = false;
  friend auto operator<=>(const Comparison&, const Comparison&) = default;
};

/// Does it hold on a row with this code? @pre the attribute is present
constexpr bool takes(const Comparison& comparison, std::uint32_t code) noexcept {
  return (comparison.low <= code && code <= comparison.high) != comparison.negated;
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
/// interval on the other side, unless it spans all codes.
Comparison canonical(Comparison comparison, std::uint32_t distinct) noexcept;

}  // namespace atl
