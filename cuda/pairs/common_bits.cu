#include "cuda/device/handles.hpp"
#include "cuda/pairs/pair_kernels.hpp"
#include "cuda/pairs/pair_tiles.cuh"

namespace atl::cuda {
namespace {

using Stage = std::uint32_t[slab_words][staged_items];

/// Words of a slab of the tile's items; of items beyond the last, the last.
__device__ void stage(const std::uint32_t* bits, std::uint32_t words, std::uint32_t first,
                      std::uint32_t items, std::uint32_t slab, Stage& to) {
  for (std::uint32_t i = threadIdx.x; i < pair_tile * slab_words; i += pair_threads) {
    const std::uint32_t item = i / slab_words, word = i % slab_words;
    to[word][item] =
        bits[std::size_t{min(first + item, items - 1)} * words + slab * slab_words + word];
  }
}

__global__ void __launch_bounds__(pair_threads)
    common_bits(PairBits bits, PairRectangle rectangle) {
  __shared__ alignas(16) Stage row_words;
  __shared__ alignas(16) Stage column_words;
  const std::uint32_t first_row = blockIdx.y * pair_tile, first_column = blockIdx.x * pair_tile;
  if (rectangle.first_column + first_column >= rectangle.first_row + first_row + pair_tile) return;
  const std::uint32_t row = threadIdx.x / 16 * 4, column = threadIdx.x % 16 * 4;
  std::uint32_t sums[4][4] = {};
  for (std::uint32_t slab = 0; slab < bits.words / slab_words; ++slab) {
    __syncthreads();
    stage(bits.rows, bits.words, first_row, rectangle.rows, slab, row_words);
    stage(bits.columns, bits.words, first_column, rectangle.columns, slab, column_words);
    __syncthreads();
#pragma unroll 8
    for (std::uint32_t w = 0; w < slab_words; ++w) {
      std::uint32_t a[4], b[4];
      take_four(&row_words[w][row], a);
      take_four(&column_words[w][column], b);
#pragma unroll
      for (int i = 0; i < 4; ++i) {
#pragma unroll
        for (int j = 0; j < 4; ++j) sums[i][j] += __popc(a[i] & b[j]);
      }
    }
  }
  for (std::uint32_t i = 0; i < 4 && first_row + row + i < rectangle.rows; ++i) {
    for (std::uint32_t j = 0; j < 4 && first_column + column + j < rectangle.columns; ++j) {
      rectangle.counts[(first_row + row + i) * rectangle.stride + first_column + column + j] =
          sums[i][j];
    }
  }
}

__global__ void set_bits(ItemTransactions items, std::uint32_t first, std::uint32_t words,
                         std::uint32_t* bits) {
  const std::uint64_t begin = items.starts[first + blockIdx.x];
  const std::uint64_t end = items.starts[first + blockIdx.x + 1];
  std::uint32_t* const own = bits + std::size_t{blockIdx.x} * words;
  for (std::uint64_t i = begin + threadIdx.x; i < end; i += blockDim.x) {
    const std::uint32_t transaction = items.transactions[i];
    atomicOr(own + transaction / 32, 1U << transaction % 32);
  }
}

}  // namespace

void launch_set_bits(const ItemTransactions& items, std::uint32_t first, std::uint32_t count,
                     std::uint32_t words, std::uint32_t* bits, cudaStream_t stream) {
  if (count == 0) return;
  set_bits<<<count, 256, 0, stream>>>(items, first, words, bits);
  check(cudaGetLastError());
}

void launch_common_bits(const PairBits& bits, const PairRectangle& rectangle, cudaStream_t stream) {
  if (rectangle.rows == 0 || rectangle.columns == 0) return;
  const dim3 blocks((rectangle.columns + pair_tile - 1) / pair_tile,
                    (rectangle.rows + pair_tile - 1) / pair_tile);
  common_bits<<<blocks, pair_threads, 0, stream>>>(bits, rectangle);
  check(cudaGetLastError());
}

}  // namespace atl::cuda
