// The kernels of Kozawa 2016 that join distributions (Figures 3.4 to 3.6). All launches are
// asynchronous.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>

namespace atl::cuda {

/// Levels that a block joins in shared memory at most: 2^9 leaves, of two numbers each.
inline constexpr std::uint32_t most_shared_levels = 9;

/// Joins 2^levels distributions of single transactions into one, in shared memory (Figure 3.6).
/// @param gather  a thread has a number of a result, else one of an operand, and adds to results
///                atomically, in no fixed order
/// @param distributions  [blocks][2^levels][4]; the first numbers of each block's become the
///                       joined distribution, and the rest 0
void launch_shared_levels(double* distributions, std::uint32_t blocks, std::uint32_t levels,
                          bool gather, cudaStream_t stream);

/// Multiplies the spectra of neighbours, in the place of the former of both, and divides by `size`
/// what the inverse transform multiplies.
/// @param spectra  [2 pairs][size / 2 + 1]
void launch_spectrum_products(double2* spectra, std::size_t pairs, std::uint32_t size,
                              cudaStream_t stream);
/// Sets every other distribution to 0, so that the one before has twice the size.
/// @param distributions  [2 pairs][size]
void launch_zero_padding(double* distributions, std::size_t pairs, std::uint32_t size,
                         cudaStream_t stream);

/// Equation 3.1. @param distributions  [sets][4 * 2^rank], of which the first 2^rank + 1 numbers
/// count @param tails  [sets] overwritten
void launch_tail_sums(const double* distributions, std::uint32_t sets, std::uint32_t rank,
                      std::uint32_t least, double* tails, cudaStream_t stream);

}  // namespace atl::cuda
