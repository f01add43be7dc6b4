// How far from its mean the number of transactions that exist is likely to be. C++17, for the host
// and the device: the same bits on both.
#pragma once

#include <cmath>
#include <cstdint>

#include "src/core/host_device.hpp"

namespace atl {

/// The number of some transactions that exist is further from its mean than this with a probability
/// below 2 exp(-exponent) (Bernstein's inequality: Boucheron, Lugosi and Massart 2013, corollary
/// 2.11).
ATOLL_HOST_DEVICE inline double window_reach(double variance, double exponent) noexcept {
  const double third = exponent / 3;
  return third + std::sqrt(third * third + 2 * exponent * variance);
}

/// The exponent by which all that windows cut off in a tree of so many transactions has a
/// probability below 2.5e-13: such a tree has less than n / 8 nodes above its leaves.
inline double tail_exponent(std::uint64_t transactions) noexcept {
  return std::log(1e12 * (static_cast<double>(transactions) + 1e7));
}

}  // namespace atl
