// The probability that at least so many of some independent transactions exist: the upper tail of
// the Poisson binomial distribution.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace atl {

/// The executable specification: adds one transaction after the other to the distribution (Sun et
/// al. 2010, dynamic programming). All terms are positive: its relative error is below 2^-52 times
/// the number of transactions.
/// @param least  above 0
double reference_tail(std::span<const double> probabilities, std::uint32_t least);

}  // namespace atl
