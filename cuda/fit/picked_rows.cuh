// The rows of a sample on which the comparisons of a part hold, in order.
#pragma once

#include <cstdint>

#include "cuda/fit/fit_kernel.hpp"

namespace atl::cuda {

inline constexpr std::uint32_t fit_threads = 256;
inline constexpr std::uint32_t fit_warps = fit_threads / 32;
/// Rows that a block can list.
inline constexpr std::uint32_t listed_rows = 8192;
static_assert(fit_step_rows == fit_threads * 32 && listed_rows >= fit_step_rows);

/// Of a word's 32 rows those on which a comparison holds.
__device__ __forceinline__ std::uint32_t holding(const FitComparison& comparison,
                                                 const FitRows& rows, std::uint32_t word) {
  constexpr int ahead = 8;  // planes that are loaded together
  const std::uint32_t* plane =
      rows.planes + std::uint64_t{comparison.first_plane} * rows.plane_words + word;
  const bool is_negated = (comparison.flags & FitComparison::negated) != 0;
  const bool may_miss = (comparison.flags & FitComparison::may_miss) != 0;
  std::uint32_t from_low = ~0U, to_high = ~0U;
  std::uint32_t missing = is_negated && may_miss ? ~0U : 0;
#pragma unroll 1
  for (std::uint32_t first = 0; first < comparison.planes; first += ahead) {
    std::uint32_t loaded[ahead];
#pragma unroll
    for (int p = 0; p < ahead; ++p) {
      loaded[p] = first + p < comparison.planes ? __ldg(plane + p * std::uint64_t{rows.plane_words})
                                                : 0;
    }
    plane += ahead * std::uint64_t{rows.plane_words};
#pragma unroll
    for (int p = 0; p < ahead; ++p) {  // planes beyond the last are of zeros, and change nothing
      const std::uint32_t x = loaded[p];
      const std::uint32_t low = 0U - (comparison.low >> (first + p) & 1);
      const std::uint32_t high = 0U - (comparison.high >> (first + p) & 1);
      from_low = (low & from_low & x) | (~low & (from_low | x));
      to_high = (high & (to_high | ~x)) | (~high & to_high & ~x);
      missing &= ~(x ^ (0U - (comparison.missing >> (first + p) & 1)));
    }
  }
  const std::uint32_t inside = from_low & to_high;
  return is_negated ? ~(inside | missing) : inside;
}

/// How far a block has come with a part. Equal in all threads.
struct PickedRows {
  std::uint32_t part = no_fit;
  std::uint32_t next_word = 0;  ///< of the sample
  std::uint32_t taken = 0;      ///< rows that were listed and have left the list
  std::uint32_t count = 0;      ///< rows in the list
};

/// Shared memory for it.
struct PickMemory {
  std::uint32_t list[listed_rows];  ///< 2 r + 1 where row r is positive, else 2 r
  std::uint32_t sums[2][fit_warps];
};

/// Writes the rows of a warp's words to the list. @param at  place of the lane's first row
/// @param end  place at which the list ends
__device__ __forceinline__ void write_rows(std::uint32_t among, std::uint32_t hits,
                                           std::uint32_t first_row, std::uint32_t at,
                                           std::uint32_t end, std::uint32_t* list) {
  constexpr std::uint32_t few = 12;
  const std::uint32_t lane = threadIdx.x % 32;
  if (__reduce_max_sync(~0U, __popc(among)) <= few) {
    for (; among != 0 && at < end; among &= among - 1, ++at) {
      const std::uint32_t bit = __ffs(among) - 1;
      list[at] = (first_row + lane * 32 + bit) * 2 + (hits >> bit & 1);
    }
    return;
  }
  // Word by word: lanes with many rows each would write to the same bank.
  const std::uint32_t below = (1U << lane) - 1;
#pragma unroll 4
  for (int word = 0; word < 32; ++word) {
    const std::uint32_t rows = __shfl_sync(~0U, among, word);
    const std::uint32_t marked = __shfl_sync(~0U, hits, word);
    const std::uint32_t place = __shfl_sync(~0U, at, word) + __popc(rows & below);
    if ((rows >> lane & 1) != 0 && place < end) {
      list[place] = (first_row + word * 32 + lane) * 2 + (marked >> lane & 1);
    }
  }
}

/// Lists rows until `wanted` have been listed or the sample ends, and `limit` at most. By all
/// threads; the list can be read after a barrier.
/// @param full  called when the list has no more room, to read it between two barriers
template <typename Full>
__device__ __forceinline__ void pick_rows(const FitRows& rows, const FitPart& part,
                                          const FitComparison* comparisons, std::uint32_t wanted,
                                          std::uint32_t limit, PickMemory& memory,
                                          PickedRows& picked, const Full& full) {
  const std::uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  std::uint32_t turn = 0;
  while (picked.taken + picked.count < wanted && picked.next_word < rows.plane_words) {
    const std::uint32_t word = picked.next_word + threadIdx.x;
    const std::uint32_t left = rows.rows - min(rows.rows, word * 32);
    std::uint32_t among = left >= 32 ? ~0U : (1U << left) - 1;
#pragma unroll 1
    for (std::uint32_t c = 0; c < part.rest; ++c) among &= holding(comparisons[c], rows, word);
    std::uint32_t hits = among;
#pragma unroll 1
    for (std::uint32_t c = part.rest; c < part.rest + part.positives; ++c) {
      hits &= holding(comparisons[c], rows, word);
    }
    const std::uint32_t own = __popc(among);
    std::uint32_t upto = own;
#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
      const std::uint32_t before = __shfl_up_sync(~0U, upto, d);
      if (lane >= d) upto += before;
    }
    if (lane == 31) memory.sums[turn][warp] = upto;
    __syncthreads();
    std::uint32_t at = upto - own, total = 0;
#pragma unroll
    for (std::uint32_t w = 0; w < fit_warps; ++w) {
      const std::uint32_t sum = memory.sums[turn][w];
      if (w < warp) at += sum;
      total += sum;
    }
    turn ^= 1;  // so that one barrier a step is enough
    total = min(total, limit - picked.taken - picked.count);
    if (picked.count + total > listed_rows) {
      full(picked.count);
      picked.taken += picked.count;
      picked.count = 0;
    }
    const std::uint32_t end = picked.count + total;
    write_rows(among, hits, (picked.next_word + warp * 32) * 32, picked.count + at, end,
               memory.list);
    picked.count = end;
    picked.next_word += fit_threads;
  }
}

}  // namespace atl::cuda
