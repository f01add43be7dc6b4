// The work of a warp on its part of a tile: thread t has words 4t to 4t + 3 of the first half and
// of the second.
#pragma once

#include <cstdint>

#include "cuda/count/digit_jumps.cuh"
#include "cuda/device/device_layout.hpp"

namespace atl::cuda {

inline constexpr std::uint32_t warp_size = 32;

struct Tile {
  const uint4* planes;  ///< the first, at the thread's first words
  std::uint64_t unit;   ///< of the thread's first words in a plane of all tiles
  std::uint32_t rows;   ///< that exist, from the tile's first on

  __device__ __forceinline__ const uint4* plane(std::uint32_t index) const {
    return planes + std::uint64_t{index} * tile_units;
  }
};

__device__ inline Tile tile_of(const DeviceRows& rows, std::uint32_t number) {
  const std::uint64_t left = rows.rows - std::uint64_t{number} * tile_rows;
  const std::uint32_t lane = threadIdx.x % warp_size;
  return {rows.planes + std::uint64_t{number} * rows.tile_planes * tile_units + lane,
          std::uint64_t{number} * tile_units + lane,
          left < tile_rows ? static_cast<std::uint32_t>(left) : tile_rows};
}

__device__ __forceinline__ void fill(ThreadWords& words, std::uint32_t value) {
#pragma unroll
  for (int w = 0; w < thread_words; ++w) words[w] = value;
}

__device__ __forceinline__ void load(const uint4* from, ThreadWords& words) {
  const uint4 low = from[0];
  const uint4 high = from[warp_size];
  words[0] = low.x, words[1] = low.y, words[2] = low.z, words[3] = low.w;
  words[4] = high.x, words[5] = high.y, words[6] = high.z, words[7] = high.w;
}

__device__ __forceinline__ void store(uint4* to, const ThreadWords& words) {
  to[0] = make_uint4(words[0], words[1], words[2], words[3]);
  to[warp_size] = make_uint4(words[4], words[5], words[6], words[7]);
}

/// Index in the tile of the first row of a thread's word.
__device__ __forceinline__ std::uint32_t first_row_of(std::uint32_t word) {
  return (threadIdx.x % warp_size * 4 + word % 4 + word / 4 * 4 * warp_size) * 32;
}

/// Clears the bits beyond the rows that exist.
__device__ __forceinline__ void clip(ThreadWords& words, std::uint32_t rows) {
  if (rows >= tile_rows) return;
#pragma unroll
  for (std::uint32_t w = 0; w < thread_words; ++w) {
    const int left = static_cast<int>(rows) - static_cast<int>(first_row_of(w));
    words[w] &= left >= 32 ? ~0U : left <= 0 ? 0U : (1U << left) - 1;
  }
}

__device__ __forceinline__ std::uint32_t count(const ThreadWords& words) {
  std::uint32_t sum = 0;
#pragma unroll
  for (int w = 0; w < thread_words; ++w) sum += __popc(words[w]);
  return sum;
}

/// Sums over the lanes, added to memory by one of them.
__device__ __forceinline__ void add_over_lanes(unsigned long long sum, unsigned long long* to) {
  for (int offset = 16; offset != 0; offset /= 2) sum += __shfl_xor_sync(~0U, sum, offset);
  if (threadIdx.x % warp_size == 0 && sum != 0) atomicAdd(to, sum);
}

/// Sums over a warp, added to consecutive counters as many as there are lanes at a time.
class LaneCounts {
 public:
  __device__ explicit LaneCounts(unsigned long long* to) : to_(to) {}
  __device__ void push(std::uint32_t sum) {
    if (threadIdx.x % warp_size == used_) mine_ = sum;
    if (++used_ == warp_size) flush();
  }
  __device__ void flush() {
    if (threadIdx.x % warp_size < used_ && mine_ != 0) {
      atomicAdd(to_ + threadIdx.x % warp_size, static_cast<unsigned long long>(mine_));
    }
    to_ += used_;
    used_ = 0;
  }

 private:
  unsigned long long* to_;
  std::uint32_t used_ = 0;
  std::uint32_t mine_ = 0;
};

/// Calls what(index in the tile) for each row of the words.
template <typename What>
__device__ __forceinline__ void for_each_row(const ThreadWords& words, const What& what) {
  for (std::uint32_t w = 0; w < thread_words; ++w) {
    for (std::uint32_t rows = words[w]; rows != 0; rows &= rows - 1) {
      what(first_row_of(w) + static_cast<std::uint32_t>(__ffs(static_cast<int>(rows))) - 1);
    }
  }
}

}  // namespace atl::cuda
