#include "src/rules/comparison.hpp"

#include <cassert>

namespace atl {

ComparisonResult make_comparison(std::uint32_t attribute, Relation relation, std::uint32_t code,
                                 std::uint32_t distinct) noexcept {
  assert(code < distinct);
  const std::uint32_t last = distinct - 1;
  switch (relation) {
    case Relation::less:
      return {code > 0, {attribute, 0, code > 0 ? code - 1 : 0, false}};
    case Relation::less_equal:
      return {true, {attribute, 0, code, false}};
    case Relation::greater:
      return {code < last, {attribute, code < last ? code + 1 : last, last, false}};
    case Relation::greater_equal:
      return {true, {attribute, code, last, false}};
    case Relation::equal:
      return {true, {attribute, code, code, false}};
    case Relation::not_equal:
      return {distinct > 1, canonical({attribute, code, code, true}, distinct)};
  }
  return {false, {}};
}

Comparison canonical(Comparison comparison, std::uint32_t distinct) noexcept {
  if (asks_missing(comparison))
    return comparison.negated ? is_known(comparison.attribute, distinct) : comparison;
  assert(comparison.low <= comparison.high && comparison.high < distinct);
  const bool from_first = comparison.low == 0;
  const bool to_last = comparison.high == distinct - 1;
  if (!comparison.negated || from_first == to_last) return comparison;
  if (from_first) return {comparison.attribute, comparison.high + 1, distinct - 1, false};
  return {comparison.attribute, 0, comparison.low - 1, false};
}

}  // namespace atl
