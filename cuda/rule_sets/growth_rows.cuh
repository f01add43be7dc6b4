// Words of the rows of a sample on which comparisons hold.
#pragma once

#include <cstdint>

#include "cuda/rule_sets/growth_kernel.hpp"
#include "src/sampling/comparison_rows.hpp"

namespace atl::cuda {

__device__ __forceinline__ const unsigned long long* row_set(const GrowthRows& rows,
                                                             std::uint32_t number) {
  return rows.sets + std::size_t{number} * rows.words;
}

__device__ __forceinline__ std::uint32_t sets_of(const GrowthTerm& term) {
  return term.sets_and_rule & GrowthTerm::sets_mask;
}

/// Reads words of some terms at once, so that memory is asked for all of them before it has
/// answered.
template <int count>
__device__ __forceinline__ void words_of(const GrowthRows& rows, const GrowthTerm (&terms)[count],
                                         std::uint32_t word, unsigned long long (&out)[count]) {
  unsigned long long without[count], present[count];
#pragma unroll
  for (int i = 0; i < count; ++i) {
    const GrowthTerm& term = terms[i];
    const bool negated = (term.present & ComparisonRows::negation) != 0;
    out[i] = sets_of(term) == 0 ? 0 : row_set(rows, term.first)[word];
    without[i] = term.without == no_row_set ? 0 : row_set(rows, term.without)[word];
    present[i] = negated ? row_set(rows, term.present & ~ComparisonRows::negation)[word] : 0;
  }
#pragma unroll
  for (int i = 0; i < count; ++i) {
    const GrowthTerm& term = terms[i];
    for (std::uint32_t s = 1; s < sets_of(term); ++s) {
      out[i] |= row_set(rows, term.first + s)[word];
    }
    out[i] &= ~without[i];
    if ((term.present & ComparisonRows::negation) != 0) out[i] = present[i] & ~out[i];
  }
}

__device__ __forceinline__ unsigned long long word_of(const GrowthRows& rows,
                                                      const GrowthTerm& term, std::uint32_t word) {
  const GrowthTerm terms[1] = {term};
  unsigned long long out[1];
  words_of(rows, terms, word, out);
  return out[0];
}

/// The first literal of an attribute whose code is at least this one, or the attribute's end.
__device__ inline std::uint32_t find_literal(const GrowthRows& rows,
                                             const GrowthAttribute& attribute, std::uint32_t code) {
  std::uint32_t first = attribute.first_literal, end = first + attribute.literals;
  while (first < end) {
    const std::uint32_t middle = first + (end - first) / 2;
    if (rows.literals[middle].y < code) {
      first = middle + 1;
    } else {
      end = middle;
    }
  }
  return first;
}

/// The term of a comparison as it is grown, like ClassSample::rows_of().
__device__ inline GrowthTerm term_of(const GrowthRows& rows, const GrowthComparison& comparison) {
  const GrowthAttribute& attribute = rows.attributes[comparison.attribute];
  const std::uint32_t end = attribute.first_literal + attribute.literals;
  GrowthTerm term = {0, 0, no_row_set, attribute.present};
  if (comparison.negated != 0) term.present |= ComparisonRows::negation;
  const bool ordered = attribute.ordered != 0 || attribute.distinct == 2;
  const bool to_last = comparison.high + 1 >= attribute.distinct;
  const auto literal_of = [&](std::uint32_t code) {
    const std::uint32_t found = find_literal(rows, attribute, code);
    return found < end && rows.literals[found].y == code ? found : no_row_set;
  };
  if (!ordered && (comparison.low > 0 || !to_last)) {
    term.first = find_literal(rows, attribute, comparison.low);
    term.sets_and_rule = find_literal(rows, attribute, comparison.high + 1) - term.first;
    return term;
  }
  const std::uint32_t high = to_last ? attribute.present : literal_of(comparison.high);
  if (high != no_row_set) {
    term.first = high;
    term.sets_and_rule = 1;
  }
  if (comparison.low > 0) term.without = literal_of(comparison.low - 1);
  return term;
}

}  // namespace atl::cuda
