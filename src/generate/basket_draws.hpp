// Draws of which generated transactions are made; the same bits on every machine.
#pragma once

#include <cstdint>

#include "src/core/portable_math.hpp"
#include "src/core/random.hpp"

namespace atl {

/// Draws from the exponential distribution of mean 1.
inline double draw_exponential(RandomStream& stream) noexcept {
  return -portable_log(1 - stream.next_double());
}

/// @param limit  e to the -mean. Takes as many draws as it returns, and one (Knuth, The Art of
///               Computer Programming, volume 2, 3.4.1)
inline std::uint32_t draw_poisson(RandomStream& stream, double limit) noexcept {
  std::uint32_t count = 0;
  for (double product = stream.next_double(); product > limit; product *= stream.next_double()) {
    ++count;
  }
  return count;
}

/// Draws from the normal distribution of mean 0 and variance 1.
inline double draw_normal(RandomStream& stream) noexcept {
  double p = 0;
  while (p == 0) p = stream.next_double();
  return normal_quantile(p);
}

}  // namespace atl
