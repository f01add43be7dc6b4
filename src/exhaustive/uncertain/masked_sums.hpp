// Sums of the numbers of rows that a bit column has.
#pragma once

#include <cstdint>

namespace atl {

/// The numbers of a row, by FixedSum::fixed(): its probability p, and p (1 - p).
struct FixedMoments {
  std::uint64_t mean = 0, variance = 0;
};

/// Adds the moments of those rows of a word whose bits are set, by the instruction set at hand.
/// @param means, variances  [64] @param sums  has at most FixedSum::terms_of_word terms afterwards
void add_masked(std::uint64_t word, const std::uint64_t* means, const std::uint64_t* variances,
                FixedMoments& sums);

}  // namespace atl
