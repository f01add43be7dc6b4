#include <algorithm>

#include "cuda/device/handles.hpp"
#include "cuda/itemsets/apriori_kernels.hpp"
#include "cuda/itemsets/apriori_triangle.hpp"

namespace atl::cuda {
namespace {

constexpr std::uint32_t all_lanes = 0xFFFFFFFF;

// Pairs: a block counts tile x tile of them, a thread 4 x 4. Words of 32 transactions.
constexpr std::uint32_t tile = 64;
constexpr std::uint32_t step_units = 8;  // that are staged at a time
constexpr std::uint32_t step_words = 4 * step_units;
constexpr std::uint32_t row_words = tile + 4;  // so that fewer stores meet in a bank
constexpr std::uint32_t pair_threads = tile * tile / 16;
constexpr std::uint32_t blocks_wanted = 2048;  // enough for any device

using Stage = std::uint32_t[step_words][row_words];

/// Words of the tile's columns, word by word.
__device__ void stage(const AprioriColumns& columns, std::uint32_t first_item, std::uint32_t unit,
                      std::uint32_t last_unit, Stage& to) {
  const std::uint32_t column = threadIdx.x / 4;
  const std::uint32_t item = first_item + column;
  for (std::uint32_t u = threadIdx.x % 4; u < step_units; u += 4) {
    uint4 words = make_uint4(0, 0, 0, 0);
    if (item < columns.items && unit + u < last_unit) {
      words = columns.units[std::size_t{item} * columns.stride + unit + u];
    }
    to[4 * u][column] = words.x;
    to[4 * u + 1][column] = words.y;
    to[4 * u + 2][column] = words.z;
    to[4 * u + 3][column] = words.w;
  }
}

/// Width: tiles, a triangle with its diagonal; height: slices of the transactions.
/// @param units  of a slice
/// @param first, last  of the rarer items
__global__ void __launch_bounds__(pair_threads)
    pair_kernel(AprioriColumns columns, std::uint64_t first_tile, std::uint32_t units,
                std::uint32_t first, std::uint32_t last, std::uint32_t* supports) {
  __shared__ alignas(16) Stage rare_words;
  __shared__ alignas(16) Stage frequent_words;
  const TrianglePlace place = triangle_place(first_tile + blockIdx.x);
  const std::uint32_t rare_item = (place.high - 1) * tile;  // with the diagonal, low < high too
  const std::uint32_t frequent_item = place.low * tile;
  const std::uint32_t ty = threadIdx.x / 16 * 4;
  const std::uint32_t tx = threadIdx.x % 16 * 4;
  std::uint32_t sums[4][4] = {};
  const std::uint32_t last_unit = min(columns.stride, (blockIdx.y + 1) * units);
  for (std::uint32_t unit = blockIdx.y * units; unit < last_unit; unit += step_units) {
    __syncthreads();
    stage(columns, rare_item, unit, last_unit, rare_words);
    stage(columns, frequent_item, unit, last_unit, frequent_words);
    __syncthreads();
#pragma unroll 8
    for (std::uint32_t w = 0; w < step_words; ++w) {
      const uint4 a = *reinterpret_cast<const uint4*>(&rare_words[w][ty]);
      const uint4 b = *reinterpret_cast<const uint4*>(&frequent_words[w][tx]);
      const std::uint32_t rare[4] = {a.x, a.y, a.z, a.w};
      const std::uint32_t frequent[4] = {b.x, b.y, b.z, b.w};
#pragma unroll
      for (int i = 0; i < 4; ++i) {
#pragma unroll
        for (int j = 0; j < 4; ++j) sums[i][j] += __popc(rare[i] & frequent[j]);
      }
    }
  }
  const std::uint64_t before = triangle_start(first);
  for (std::uint32_t i = 0; i < 4; ++i) {
    const std::uint32_t rare = rare_item + ty + i;
    if (rare < first || rare >= last) continue;
    for (std::uint32_t j = 0; j < 4; ++j) {
      const std::uint32_t frequent = frequent_item + tx + j;
      if (frequent >= rare || sums[i][j] == 0) continue;
      atomicAdd(supports + (triangle_start(rare) - before + frequent), sums[i][j]);
    }
  }
}

// Candidates: a block has those of a task, a warp one at a time.
constexpr std::uint32_t candidate_threads = 128;
constexpr std::uint32_t warps = candidate_threads / 32;
constexpr std::uint32_t chunk_units = 512;  // of the prefix at a time

__device__ uint4 operator&(const uint4& a, const uint4& b) {
  return make_uint4(a.x & b.x, a.y & b.y, a.z & b.z, a.w & b.w);
}
__device__ std::uint32_t ones(const uint4& a) {
  return __popc(a.x) + __popc(a.y) + __popc(a.z) + __popc(a.w);
}

/// The prefix in a chunk of the transactions: units with any.
struct PrefixChunk {
  uint4 rows[chunk_units];
  std::uint16_t unit[chunk_units];
  std::uint32_t count;
};

/// Their order is any, of which sums do not depend.
__device__ void find_prefix(const AprioriColumns& columns, const std::uint32_t* prefix,
                            std::uint32_t length, std::uint32_t first, PrefixChunk& chunk) {
  if (threadIdx.x == 0) chunk.count = 0;
  __syncthreads();
  const std::uint32_t units = min(chunk_units, columns.stride - first);
  for (std::uint32_t u = threadIdx.x; u < units; u += candidate_threads) {
    uint4 row = columns.units[std::size_t{prefix[0]} * columns.stride + first + u];
    for (std::uint32_t i = 1; i < length; ++i) {
      row = row & columns.units[std::size_t{prefix[i]} * columns.stride + first + u];
    }
    if ((row.x | row.y | row.z | row.w) == 0) continue;
    const std::uint32_t at = atomicAdd(&chunk.count, 1U);
    chunk.rows[at] = row;
    chunk.unit[at] = static_cast<std::uint16_t>(u);
  }
  __syncthreads();
}

__global__ void __launch_bounds__(candidate_threads)
    candidate_kernel(AprioriColumns columns, const AprioriTask* tasks,
                     const std::uint32_t* prefixes, std::uint32_t prefix_length,
                     const AprioriPair* pairs, std::uint32_t* supports) {
  __shared__ PrefixChunk chunk;
  const AprioriTask task = tasks[blockIdx.x];
  const std::uint32_t lane = threadIdx.x % 32;
  for (std::uint32_t first = 0; first < columns.stride; first += chunk_units) {
    find_prefix(columns, prefixes + task.prefix, prefix_length, first, chunk);
    for (std::uint32_t c = task.first + threadIdx.x / 32; c < task.end; c += warps) {
      const AprioriPair pair = pairs[c];
      const uint4* const rare = columns.units + std::size_t{pair.rare} * columns.stride + first;
      const uint4* const frequent =
          columns.units + std::size_t{pair.frequent} * columns.stride + first;
      std::uint32_t sum = 0;
      for (std::uint32_t r = lane; r < chunk.count; r += 32) {
        const std::uint32_t u = chunk.unit[r];
        sum += ones(chunk.rows[r] & rare[u] & frequent[u]);
      }
      sum = __reduce_add_sync(all_lanes, sum);
      if (lane == 0) supports[c] = first == 0 ? sum : supports[c] + sum;
    }
    __syncthreads();  // before the next chunk takes its place
  }
}

}  // namespace

void launch_pair_supports(const AprioriColumns& columns, std::uint32_t first, std::uint32_t last,
                          std::uint32_t* supports, cudaStream_t stream) {
  if (first >= last) return;
  // Rows of tiles from that of `first` to that of the last item.
  const std::uint64_t begin = triangle_start(first / tile + 1);
  const std::uint64_t tiles = triangle_start((last - 1) / tile + 2) - begin;
  const std::uint32_t steps = (columns.stride + step_units - 1) / step_units;
  const auto slices = static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(blocks_wanted / tiles, 1, std::min(steps, 65535U)));
  const std::uint32_t units = (steps + slices - 1) / slices * step_units;
  constexpr std::uint64_t most_tiles = std::uint64_t{1} << 30;  // of a grid
  for (std::uint64_t done = 0; done < tiles; done += most_tiles) {
    const dim3 grid(static_cast<std::uint32_t>(std::min(most_tiles, tiles - done)),
                    (columns.stride + units - 1) / units);
    pair_kernel<<<grid, pair_threads, 0, stream>>>(columns, begin + done, units, first, last,
                                                   supports);
    check(cudaGetLastError());
  }
}

void launch_candidate_supports(const AprioriColumns& columns, const AprioriTask* tasks,
                               std::uint32_t count, const std::uint32_t* prefixes,
                               std::uint32_t prefix_length, const AprioriPair* pairs,
                               std::uint32_t* supports, cudaStream_t stream) {
  if (count == 0) return;
  candidate_kernel<<<count, candidate_threads, 0, stream>>>(columns, tasks, prefixes, prefix_length,
                                                            pairs, supports);
  check(cudaGetLastError());
}

}  // namespace atl::cuda
