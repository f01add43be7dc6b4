// Covers of sets of items, word by word, and sums over the threads of a warp or a block.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda/uncertain/uncertain_kernels.hpp"

namespace atl::cuda {

inline constexpr std::uint32_t all_lanes = 0xFFFFFFFF;

/// The transactions of a word that have all of some items.
__device__ inline std::uint64_t cover_word(const DeviceColumns& columns, const std::uint32_t* ranks,
                                           std::uint32_t length, std::uint32_t word) {
  std::uint64_t cover = ~std::uint64_t{0};
  for (std::uint32_t i = 0; i < length; ++i)
    cover &= columns.bits[std::size_t{ranks[i]} * columns.words + word];
  return cover;
}

__device__ inline std::uint32_t ones(std::uint64_t word) {
  return static_cast<std::uint32_t>(__popcll(word));
}
/// @param word  not 0
__device__ inline std::uint32_t lowest_one(std::uint64_t word) {
  return static_cast<std::uint32_t>(__ffsll(static_cast<long long>(word)) - 1);
}

/// The sum of the values of the lanes up to each.
__device__ inline std::uint32_t sum_up_to_lane(std::uint32_t value) {
  const std::uint32_t lane = threadIdx.x % 32;
#pragma unroll
  for (std::uint32_t step = 1; step < 32; step *= 2) {
    const std::uint32_t below = __shfl_up_sync(all_lanes, value, step);
    if (lane >= step) value += below;
  }
  return value;
}

}  // namespace atl::cuda
