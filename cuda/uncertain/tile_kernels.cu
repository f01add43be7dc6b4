#include <cstddef>

#include "cuda/device/handles.hpp"
#include "cuda/uncertain/convolution.cuh"
#include "cuda/uncertain/cover_words.cuh"
#include "cuda/uncertain/uncertain_kernels.hpp"

namespace atl::cuda {
namespace {

constexpr std::uint32_t start_threads = 256;
constexpr std::uint32_t start_warps = start_threads / 32;

/// Rows before those of the thread, and of the whole block.
struct RowsBefore {
  std::uint32_t own, all;
};
__device__ RowsBefore rows_before(std::uint32_t rows, std::uint32_t* of_warp) {
  const std::uint32_t warp = threadIdx.x / 32;
  const std::uint32_t up_to = sum_up_to_lane(rows);
  if (threadIdx.x % 32 == 31) of_warp[warp] = up_to;
  __syncthreads();
  RowsBefore before{up_to - rows, 0};
  for (std::uint32_t w = 0; w < start_warps; ++w) {
    if (w < warp) before.own += of_warp[w];
    before.all += of_warp[w];
  }
  __syncthreads();  // before the next sums take their place
  return before;
}

__global__ void __launch_bounds__(start_threads)
    tile_starts(DeviceColumns columns, DeviceSets sets, std::uint32_t* rows, std::uint32_t* starts,
                std::uint32_t stride) {
  __shared__ std::uint32_t of_warp[start_warps];
  const std::uint32_t* const ranks = sets.ranks + std::size_t{blockIdx.x} * sets.length;
  std::uint32_t* const own = starts + std::size_t{blockIdx.x} * stride;
  if (threadIdx.x == 0) own[0] = 0;
  std::uint32_t passed = 0;
  for (std::uint32_t w = 0; w < columns.certain_word; w += start_threads * words_at_once) {
    const std::uint32_t first = w + threadIdx.x * words_at_once;
    std::uint64_t words[words_at_once];
    find_cover_words(columns, ranks, sets.length, first, 1, columns.certain_word, words);
    std::uint32_t count = 0;
#pragma unroll
    for (std::uint32_t i = 0; i < words_at_once; ++i) count += ones(words[i]);
    const RowsBefore before = rows_before(count, of_warp);
    std::uint32_t tile = (passed + before.own) / tile_row_step, up_to = passed + before.own;
#pragma unroll
    for (std::uint32_t i = 0; i < words_at_once; ++i) {
      up_to += ones(words[i]);
      if (up_to / tile_row_step != tile) own[++tile] = first + i + 1;
    }
    passed += before.all;
  }
  if (threadIdx.x == 0) rows[blockIdx.x] = passed;
}

constexpr std::uint32_t tile_threads = tile_leaves;
constexpr std::uint32_t tile_warps = tile_threads / 32;

/// A level of the tree in shared memory.
struct TileLevel {
  /// Values of a node. Those of each second one lie apart, so that threads side by side, which
  /// convolve neighbours, read at an odd distance.
  __device__ double* values_of(std::uint32_t node, std::uint32_t stride) {
    return values[node % 2] + node / 2 * stride;
  }
  __device__ const double* values_of(std::uint32_t node, std::uint32_t stride) const {
    return values[node % 2] + node / 2 * stride;
  }

  TailNode nodes[tile_leaves];
  double values[2][half_level_values];
};
struct TileMemory {
  union {
    TileLevel levels[2];
    struct {
      TileLevel leaves;
      std::uint32_t rows[most_tile_rows];  // numbers of the tile's
    } begin;
  };
  std::uint32_t of_warp[tile_warps];
  double one;  // the distribution of no rows
};

/// Numbers of the rows of some words that have all items, in an order that depends on the words
/// alone. @return their number
__device__ std::uint32_t find_rows(const DeviceColumns& columns, const std::uint32_t* ranks,
                                   std::uint32_t length, std::uint32_t first, std::uint32_t end,
                                   TileMemory& memory) {
  const std::uint32_t warp = threadIdx.x / 32;
  std::uint32_t count = 0;
  std::uint64_t words[words_at_once];
  for (std::uint32_t w = first + threadIdx.x; w < end; w += tile_threads * words_at_once) {
    find_cover_words(columns, ranks, length, w, tile_threads, end, words);
#pragma unroll
    for (std::uint32_t i = 0; i < words_at_once; ++i) count += ones(words[i]);
  }
  count = __reduce_add_sync(all_lanes, count);
  if (threadIdx.x % 32 == 0) memory.of_warp[warp] = count;
  __syncthreads();
  std::uint32_t at = 0, rows = 0;
  for (std::uint32_t w = 0; w < tile_warps; ++w) {
    if (w < warp) at += memory.of_warp[w];
    rows += memory.of_warp[w];
  }
  // All lanes of a warp take part, those beyond the end, too.
  for (std::uint32_t w = first + warp * 32; w < end; w += tile_threads * words_at_once) {
    const std::uint32_t own = w + threadIdx.x % 32;
    find_cover_words(columns, ranks, length, own, tile_threads, end, words);
#pragma unroll
    for (std::uint32_t i = 0; i < words_at_once; ++i) {
      const std::uint32_t up_to = sum_up_to_lane(ones(words[i]));
      std::uint32_t to = at + up_to - ones(words[i]);
      for (std::uint64_t word = words[i]; word != 0; word &= word - 1)
        memory.begin.rows[to++] = (own + i * tile_threads) * 64 + lowest_one(word);
      at += __shfl_sync(all_lanes, up_to, 31);
    }
  }
  __syncthreads();
  return rows;
}

/// The distribution of each leaves-th row from that of the thread on, one row after the other.
/// @param rows  [count]
__device__ void make_leaf(const double* probabilities, const std::uint32_t* rows,
                          std::uint32_t count, std::uint32_t leaves, TileLevel& level) {
  const std::uint32_t leaf = threadIdx.x;
  double p[leaf_rows];
  std::int32_t own = 0;
#pragma unroll
  for (std::uint32_t r = 0; r < leaf_rows; ++r) {
    const std::uint32_t row = leaf + r * leaves;
    p[r] = row < count ? probabilities[rows[row]] : 0;  // which changes nothing
    if (row < count) ++own;
  }
  double exist[leaf_rows + 1];
  exist[0] = 1;
  TailNode node{0, 0, 0, own + 1};
#pragma unroll
  for (std::uint32_t r = 0; r < leaf_rows; ++r) {
    const double q = 1 - p[r];
    node.mean += p[r];
    node.variance += p[r] * q;
    exist[r + 1] = exist[r] * p[r];
#pragma unroll
    for (std::uint32_t k = r; k > 0; --k) exist[k] = fma(exist[k - 1], p[r], exist[k] * q);
    exist[0] *= q;
  }
  level.nodes[leaf] = node;
  double* const values = level.values_of(leaf, leaf_rows + 1);
#pragma unroll
  for (std::uint32_t k = 0; k <= leaf_rows; ++k) values[k] = exist[k];
}

/// Convolves each two nodes of a level; one that has no neighbour remains what it is.
__device__ void join_level(const TileLevel& from, std::uint32_t nodes, std::uint32_t from_stride,
                           const double* of_none, double exponent, TileLevel& to,
                           std::uint32_t to_stride) {
  const std::uint32_t joins = (nodes + 1) / 2;
  for (std::uint32_t n = threadIdx.x; n < joins; n += tile_threads) {
    const bool two = 2 * n + 1 < nodes;
    to.nodes[n] = joined(from.nodes[2 * n], two ? from.nodes[2 * n + 1] : of_no_rows(), exponent);
  }
  __syncthreads();
  const std::uint32_t places = (to_stride + thread_counts - 1) / thread_counts;
  // Threads side by side do the same part of different nodes, which takes about as long.
  for (std::uint32_t t = threadIdx.x; t < joins * places; t += tile_threads) {
    const std::uint32_t n = t % joins;
    const auto first = static_cast<std::int32_t>(t / joins * thread_counts);
    const TailNode node = to.nodes[n];
    if (first >= node.width) continue;
    const bool two = 2 * n + 1 < nodes;
    const TailNode& a = from.nodes[2 * n];
    const TailNode b = two ? from.nodes[2 * n + 1] : of_no_rows();
    double sums[thread_counts] = {};
    add_products(from.values_of(2 * n, from_stride), a.width,
                 two ? from.values_of(2 * n + 1, from_stride) : of_none, b.width,
                 node.low - a.low - b.low + first, sums);
    double* const values = to.values_of(n, to_stride) + first;
#pragma unroll
    for (std::int32_t c = 0; c < thread_counts; ++c) {
      if (first + c < node.width) values[c] = sums[c];
    }
  }
  __syncthreads();
}

__global__ void __launch_bounds__(tile_threads)
    tile_kernel(DeviceColumns columns, DeviceSets sets, TileCovers covers, const TailTile* tiles,
                TileStrides strides, double exponent, TailNodes out) {
  __shared__ TileMemory memory;
  const TailTile tile = tiles[blockIdx.x];
  const std::uint32_t cover = tile.cover;
  const std::uint32_t* const starts = covers.starts + std::size_t{cover} * covers.stride;
  const bool is_last = (tile.tile + 1) * tile_row_step >= covers.rows[cover];
  const std::uint32_t rows =
      find_rows(columns, sets.ranks + std::size_t{cover} * sets.length, sets.length,
                starts[tile.tile], is_last ? columns.certain_word : starts[tile.tile + 1], memory);
  if (threadIdx.x == 0) memory.one = 1;
  std::uint32_t nodes = max(1U, (rows + leaf_rows - 1) / leaf_rows);
  if (threadIdx.x < nodes)
    make_leaf(columns.probabilities, memory.begin.rows, rows, nodes, memory.levels[0]);
  __syncthreads();
  std::uint32_t level = 0;
  for (; nodes > 1; nodes = (nodes + 1) / 2, ++level) {
    join_level(memory.levels[level % 2], nodes, strides.of_level[level], &memory.one, exponent,
               memory.levels[(level + 1) % 2], strides.of_level[level + 1]);
  }
  const TileLevel& top = memory.levels[level % 2];
  if (threadIdx.x == 0) out.nodes[blockIdx.x] = top.nodes[0];
  double* const values = out.values + std::size_t{blockIdx.x} * out.stride;
  for (std::int32_t k = static_cast<std::int32_t>(threadIdx.x); k < top.nodes[0].width;
       k += static_cast<std::int32_t>(tile_threads)) {
    values[k] = top.values[0][k];
  }
}

}  // namespace

void launch_tile_starts(const DeviceColumns& columns, const DeviceSets& sets, std::uint32_t count,
                        std::uint32_t* rows, std::uint32_t* starts, std::uint32_t stride,
                        cudaStream_t stream) {
  if (count == 0) return;
  tile_starts<<<count, start_threads, 0, stream>>>(columns, sets, rows, starts, stride);
  check(cudaGetLastError());
}

void launch_tiles(const DeviceColumns& columns, const DeviceSets& sets, const TileCovers& covers,
                  const TailTile* tiles, std::uint32_t count, const TileStrides& strides,
                  double exponent, const TailNodes& out, cudaStream_t stream) {
  if (count == 0) return;
  tile_kernel<<<count, tile_threads, 0, stream>>>(columns, sets, covers, tiles, strides, exponent,
                                                  out);
  check(cudaGetLastError());
}

}  // namespace atl::cuda
