// Covers of sets of items, word by word, and sums over the threads of a warp or a block.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda/uncertain/uncertain_kernels.hpp"

namespace atl::cuda {

inline constexpr std::uint32_t all_lanes = 0xFFFFFFFF;

/// Words that a thread loads at a time, so that it waits for all of them together.
inline constexpr std::uint32_t words_at_once = 4;

/// The transactions of some words that have all of some items: those that are `step` words apart,
/// 0 from `end` on.
__device__ inline void find_cover_words(const DeviceColumns& columns, const std::uint32_t* ranks,
                                        std::uint32_t length, std::uint32_t first,
                                        std::uint32_t step, std::uint32_t end,
                                        std::uint64_t (&words)[words_at_once]) {
#pragma unroll
  for (std::uint32_t i = 0; i < words_at_once; ++i)
    words[i] = first + i * step < end ? ~std::uint64_t{0} : 0;
  for (std::uint32_t item = 0; item < length; ++item) {
    const std::uint64_t* const column = columns.bits + std::size_t{ranks[item]} * columns.words;
    std::uint64_t own[words_at_once] = {};
#pragma unroll
    for (std::uint32_t i = 0; i < words_at_once; ++i) {
      if (first + i * step < end) own[i] = column[first + i * step];
    }
#pragma unroll
    for (std::uint32_t i = 0; i < words_at_once; ++i) words[i] &= own[i];
  }
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
