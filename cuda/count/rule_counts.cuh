// The reduction stage: a warp counts what a rule's sides cover on a tile.
#pragma once

#include <cstdint>

#include "cuda/count/tile.cuh"
#include "src/core/row_hash.hpp"

namespace atl::cuda {

__device__ inline void add_hashes(const ThreadWords& words, std::uint64_t first_row,
                                  unsigned long long* to) {
  unsigned long long sum = 0;
  for_each_row(words, [&](std::uint32_t row) { sum += row_hash(first_row + row); });
  add_over_lanes(sum, to);
}

/// Sum of the target's levels, and if wanted of their squares, on the rows of the words.
__device__ inline void add_levels(const DeviceRows& rows, const Tile& tile,
                                  const ThreadWords& words, unsigned long long* sum_to,
                                  unsigned long long* squares_to) {
  unsigned long long sum = 0;
  for (std::uint32_t p = 0; p < rows.target_planes; ++p) {
    ThreadWords plane;
    load(rows.target + p * rows.stride + tile.unit, plane);
#pragma unroll
    for (int w = 0; w < thread_words; ++w) plane[w] &= words[w];
    sum += static_cast<unsigned long long>(count(plane)) << p;
  }
  add_over_lanes(sum, sum_to);
  if (squares_to == nullptr) return;
  const auto* const planes =
      reinterpret_cast<const std::uint32_t*>(rows.target + tile.unit - threadIdx.x % warp_size);
  unsigned long long lower = 0;
  unsigned long long upper = 0;
  for_each_row(words, [&](std::uint32_t row) {
    unsigned long long level = 0;
    for (std::uint32_t p = 0; p < rows.target_planes; ++p) {
      const std::uint32_t word = planes[p * rows.stride * 4 + row / 32];
      level |= static_cast<unsigned long long>(word >> row % 32 & 1) << p;
    }
    const unsigned long long square = level * level;
    lower += square & (1ULL << rows.target_planes) - 1;
    upper += square >> rows.target_planes;
  });
  add_over_lanes(lower, squares_to);
  add_over_lanes(upper, squares_to + 1);
}

/// Counts one rule.
/// @param rule  its index among the counters
/// @param set  the planes of presence that its consequent's rows are limited to
/// @param antecedent, consequent  bits beyond the rows included; overwritten
/// @param counts  of the table, where the rule before left off
template <bool extras>
__device__ __forceinline__ void count_rule(const DeviceRows& rows, const Tile& tile,
                                           std::uint64_t first_row, std::uint32_t rule,
                                           const std::uint32_t* set, const DeviceCounters& counters,
                                           ThreadWords& antecedent, ThreadWords& consequent,
                                           LaneCounts& counts) {
  clip(antecedent, tile.rows);
  clip(consequent, tile.rows);
  if constexpr (extras) {
    if (counters.hashes != nullptr) {
      add_hashes(antecedent, first_row, counters.hashes + rule * 2);
      add_hashes(consequent, first_row, counters.hashes + rule * 2 + 1);
    }
  }
  for (std::uint32_t i = 0; i < set[0]; ++i) {
    ThreadWords present;
    load(tile.plane(set[1 + i]), present);
#pragma unroll
    for (int w = 0; w < thread_words; ++w) {
      antecedent[w] &= present[w];
      consequent[w] &= present[w];
    }
  }
  // Each count is at most 8192 rows, so two fit in a word.
  const std::uint32_t sides = __reduce_add_sync(~0U, count(antecedent) | count(consequent) << 16);
  counts.push(sides & 0xFFFF);
  counts.push(sides >> 16);
#pragma unroll
  for (int w = 0; w < thread_words; ++w) antecedent[w] &= consequent[w];
  counts.push(__reduce_add_sync(~0U, count(antecedent)));
  if constexpr (extras) {
    if (counters.sums != nullptr) {
      add_levels(rows, tile, antecedent, counters.sums + rule,
                 counters.squares == nullptr ? nullptr : counters.squares + rule * 2);
    }
  }
}

}  // namespace atl::cuda
