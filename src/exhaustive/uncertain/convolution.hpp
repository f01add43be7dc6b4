// Sums of products that distributions of supports are made of, for the instruction set at hand.
#pragma once

#include <cstddef>

namespace atl {

/// Zeros that an array has before its first and behind its last value, so that whole registers are
/// read there.
inline constexpr std::size_t convolution_room = 32;

/// out[k] = the sum of a[i] b[first + k - i] over all i, in ascending order, for k below `size`.
/// @param b  [b_size] with convolution_room zeros before and behind
/// @param out  [size] and room for convolution_room values more, which are overwritten
void convolve(const double* a, std::size_t a_size, const double* b, std::size_t b_size,
              std::size_t first, std::size_t size, double* out);

/// Adds a transaction to a distribution: out[k] = out[k] (1 - p) + out[k - 1] p.
/// @param out  [size] with a zero before it; one value more afterwards. Values behind it are zeros
///             up to convolution_room
void add_transaction(double* out, std::size_t size, double p);

}  // namespace atl
