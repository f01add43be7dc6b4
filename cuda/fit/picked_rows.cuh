// The rows of a sample on which the comparisons of a part hold, in order.
#pragma once

#include <cstdint>

#include "cuda/fit/fit_kernel.hpp"
#include "cuda/fit/teams.cuh"
#include "cuda/host/fit_format.hpp"

namespace atl::cuda {

/// Brings the words of a group near. By all threads; all have finished the group before.
__device__ __forceinline__ const std::uint32_t* read_group(const std::uint32_t* batch,
                                                           std::uint32_t group,
                                                           std::uint32_t (&near)[most_read_words]) {
  const std::uint32_t begin = __ldg(batch + group), count = __ldg(batch + group + 1) - begin;
  if (count > most_read_words) return batch + begin;
  for (std::uint32_t i = threadIdx.x; i < count; i += fit_threads) {
    near[i] = __ldg(batch + begin + i);
  }
  __syncthreads();
  return near;
}

/// Calls with the codes of the trial's attribute, of their type.
template <typename Use>
__device__ __forceinline__ void with_codes(const FitRows& rows, const FitTrial& trial,
                                           const Use& use) {
  const std::byte* const codes = rows.codes + std::size_t{trial.column} * fit_step_rows;
  if ((trial.flags & FitTrial::two_bytes) != 0) {
    use(reinterpret_cast<const std::uint16_t*>(codes));
  } else {
    use(reinterpret_cast<const std::uint8_t*>(codes));
  }
}

/// Rows that a block can list.
inline constexpr std::uint32_t listed_rows = 8192;
static_assert(fit_step_rows == fit_threads * 32 && listed_rows >= fit_step_rows);

/// Words of a plane that a thread looks at together.
template <int words>
struct Words {
  std::uint32_t of[words];
};

template <int words>
__device__ __forceinline__ Words<words> load_words(const std::uint32_t* from) {
  if constexpr (words == 4) {
    const uint4 loaded = __ldg(reinterpret_cast<const uint4*>(from));
    return {loaded.x, loaded.y, loaded.z, loaded.w};
  } else {
    static_assert(words == 1);
    return {__ldg(from)};
  }
}

/// Keeps the bits of rows on which a comparison holds. @param word  of the sample, the first
template <int words>
__device__ __forceinline__ void keep_holding(const FitComparison& comparison, const FitRows& rows,
                                             std::uint32_t word, Words<words>& among) {
  constexpr int ahead = words == 1 ? 8 : 4;  // planes that are loaded together
  const std::uint32_t* plane =
      rows.planes + std::uint64_t{comparison.first_plane} * rows.plane_words + word;
  Words<words> from_low, to_high;
#pragma unroll
  for (int w = 0; w < words; ++w) from_low.of[w] = to_high.of[w] = ~0U;
#pragma unroll 1
  for (std::uint32_t first = 0; first < comparison.planes; first += ahead) {
    Words<words> loaded[ahead];
#pragma unroll
    for (int p = 0; p < ahead; ++p) {
      if (first + p >= comparison.planes) break;
      loaded[p] = load_words<words>(plane + p * std::uint64_t{rows.plane_words});
    }
    plane += ahead * std::uint64_t{rows.plane_words};
#pragma unroll
    for (int p = 0; p < ahead; ++p) {
      if (first + p >= comparison.planes) break;
      const std::uint32_t low = 0U - (comparison.low >> (first + p) & 1);
      const std::uint32_t high = 0U - (comparison.high >> (first + p) & 1);
#pragma unroll
      for (int w = 0; w < words; ++w) {
        const std::uint32_t x = loaded[p].of[w];
        from_low.of[w] = (low & from_low.of[w] & x) | (~low & (from_low.of[w] | x));
        to_high.of[w] = (high & (to_high.of[w] | ~x)) | (~high & to_high.of[w] & ~x);
      }
    }
  }
  const std::uint32_t negated = 0U - comparison.negated;
#pragma unroll
  for (int w = 0; w < words; ++w) among.of[w] &= (from_low.of[w] & to_high.of[w]) ^ negated;
}

/// Rows of a thread's words, and those of them that are positive.
template <int words>
struct MarkedWords {
  Words<words> among, hits;
};

template <int words>
__device__ __forceinline__ MarkedWords<words> marked_words(const FitRows& rows,
                                                           const FitComparison* comparisons,
                                                           std::uint32_t rest,
                                                           std::uint32_t positives,
                                                           std::uint32_t word) {
  MarkedWords<words> of;
#pragma unroll
  for (int w = 0; w < words; ++w) {
    const std::uint32_t left = rows.rows - min(rows.rows, (word + w) * 32);
    of.among.of[w] = left >= 32 ? ~0U : (1U << left) - 1;
  }
#pragma unroll 1
  for (; rest != 0; --rest) keep_holding(*comparisons++, rows, word, of.among);
  of.hits = of.among;
#pragma unroll 1
  for (; positives != 0; --positives) keep_holding(*comparisons++, rows, word, of.hits);
  return of;
}

/// Tells how far a block has come with a part. Equal in all threads.
struct PickedRows {
  std::uint32_t part = no_fit;
  std::uint32_t next_word = 0;  ///< of the sample
  std::uint32_t taken = 0;      ///< rows that were listed and have left the list
  std::uint32_t count = 0;      ///< rows in the list
};

/// Shared memory for the picking of rows.
struct PickMemory {
  std::uint32_t list[listed_rows];  ///< 2 r + 1 where row r is positive, else 2 r
  std::uint32_t sums[2][fit_warps];
};

/// A part of the rows that a step finds, and where in the list it begins.
struct ListWindow {
  std::uint32_t from, end, place;
};

/// Writes rows of a word of each lane to the list.
/// @param first_row  of the lane's word
/// @param at         number of its first row among those that the step finds
__device__ __forceinline__ void write_rows(std::uint32_t among, std::uint32_t hits,
                                           std::uint32_t first_row, std::uint32_t at,
                                           const ListWindow& window, std::uint32_t* list) {
  constexpr std::uint32_t few = 24;
  if (__reduce_max_sync(~0U, static_cast<std::uint32_t>(__popc(among))) <= few) {
    for (; among != 0 && at < window.end; among &= among - 1, ++at) {
      const std::uint32_t bit = __ffs(among) - 1;
      if (at < window.from) continue;
      list[window.place + at - window.from] = (first_row + bit) * 2 + (hits >> bit & 1);
    }
    return;
  }
  // Word by word: lanes with as many rows each would write to the same bank.
  const std::uint32_t lane = threadIdx.x % 32, below = (1U << lane) - 1;
#pragma unroll 4
  for (int word = 0; word < 32; ++word) {
    const std::uint32_t rows = __shfl_sync(~0U, among, word);
    const std::uint32_t marked = __shfl_sync(~0U, hits, word);
    const std::uint32_t row = __shfl_sync(~0U, first_row, word) + lane;
    const std::uint32_t number = __shfl_sync(~0U, at, word) + __popc(rows & below);
    if ((rows >> lane & 1) != 0 && number >= window.from && number < window.end) {
      list[window.place + number - window.from] = row * 2 + (marked >> lane & 1);
    }
  }
}

/// Picks rows for a part. By all threads of a block.
class RowPicker {
 public:
  __device__ RowPicker(const FitRows& rows, const FitPart& part, const FitComparison* comparisons,
                       PickMemory& memory)
      : rows_(rows), part_(part), comparisons_(comparisons), memory_(memory) {}

  /// Lists rows until `wanted` have been listed or the sample ends, and `limit` at most. The list
  /// can be read after a barrier.
  /// @param full  called when the list has no more room, to read it before a barrier
  template <typename Full>
  __device__ __forceinline__ void pick(std::uint32_t wanted, std::uint32_t limit,
                                       PickedRows& picked, const Full& full) {
    while (picked.taken + picked.count < wanted && picked.next_word < rows_.plane_words) {
      if (is_far(wanted, picked)) {
        step<4>(limit, picked, full);
      } else {
        step<1>(limit, picked, full);
      }
    }
  }

 private:
  /// Will the rows that are still wanted be more than a long step away?
  __device__ __forceinline__ bool is_far(std::uint32_t wanted, const PickedRows& picked) const {
    constexpr std::uint32_t words = 4 * fit_threads;
    if (picked.next_word == 0 || picked.next_word + words > rows_.plane_words) return false;
    const std::uint32_t found = picked.taken + picked.count;
    return std::uint64_t{wanted - found} * picked.next_word >= std::uint64_t{found} * words / 2;
  }

  /// @tparam words  of each thread
  template <int words, typename Full>
  __device__ __forceinline__ void step(std::uint32_t limit, PickedRows& picked, const Full& full) {
    const std::uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const std::uint32_t word = picked.next_word + threadIdx.x * words;
    const auto [among, hits] =
        marked_words<words>(rows_, comparisons_, part_.rest, part_.positives, word);
    std::uint32_t own = 0;
#pragma unroll
    for (int w = 0; w < words; ++w) own += __popc(among.of[w]);
    std::uint32_t at = sum_upto_lane(own);
    std::uint32_t(&sums)[fit_warps] = memory_.sums[turn_];
    turn_ ^= 1;  // so that one barrier a step is enough
    if (lane == 31) sums[warp] = at;
    at -= own;
    __syncthreads();
    std::uint32_t total = 0;
#pragma unroll
    for (std::uint32_t w = 0; w < fit_warps; ++w) {
      if (w < warp) at += sums[w];
      total += sums[w];
    }
    picked.next_word += fit_threads * words;
    total = min(total, limit - picked.taken - picked.count);
    ListWindow window = {0, min(total, listed_rows - picked.count), picked.count};
    while (true) {
      std::uint32_t number = at;
#pragma unroll
      for (int w = 0; w < words; ++w) {
        write_rows(among.of[w], hits.of[w], (word + w) * 32, number, window, memory_.list);
        number += __popc(among.of[w]);
      }
      picked.count += window.end - window.from;
      if (window.end == total) break;
      __syncthreads();
      full(picked.count);
      picked.taken += picked.count;
      picked.count = 0;
      window = {window.end, min(total, window.end + listed_rows), 0};
    }
  }

  const FitRows& rows_;
  const FitPart& part_;
  const FitComparison* const comparisons_;
  PickMemory& memory_;
  std::uint32_t turn_ = 0;
};

}  // namespace atl::cuda
