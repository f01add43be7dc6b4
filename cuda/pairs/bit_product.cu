#include "cuda/device/handles.hpp"
#include "cuda/pairs/pair_kernels.hpp"

namespace atl::cuda {
namespace {

// A block counts tile x tile pairs; a warp of it 64 rows with 32 columns, in products of 16 rows
// with 8 columns in 256 transactions.
constexpr std::uint32_t tile = 128;
constexpr std::uint32_t threads = 256;
constexpr std::uint32_t warp_rows = 64, warp_columns = 32;
constexpr std::uint32_t row_products = warp_rows / 16, column_products = warp_columns / 8;
constexpr std::uint32_t stages = 3;
constexpr std::uint32_t slab_bytes = slab_words * 4;
constexpr std::uint32_t chunk_bytes = 16, chunks = slab_bytes / chunk_bytes;
constexpr std::uint32_t side_bytes = tile * slab_bytes;
constexpr std::uint32_t shared_bytes = stages * 2 * side_bytes;

/// Where a chunk of an item's slab lies: so that the same chunk of eight items is in other banks.
__device__ std::uint32_t place(std::uint32_t item, std::uint32_t chunk) {
  return item * slab_bytes + ((chunk ^ (item % chunks)) * chunk_bytes);
}

#if __CUDA_ARCH__ >= 800
/// Begins to copy the slab of a tile's items; of items beyond the last it copies the last.
__device__ void fetch(const std::uint32_t* bits, std::uint32_t words, std::uint32_t first,
                      std::uint32_t items, std::uint32_t slab, std::uint32_t to) {
  for (std::uint32_t i = threadIdx.x; i < tile * chunks; i += threads) {
    const std::uint32_t item = i / chunks, chunk = i % chunks;
    const std::uint32_t* const from = bits + std::size_t{min(first + item, items - 1)} * words +
                                      slab * slab_words + chunk * (chunk_bytes / 4);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to + place(item, chunk)),
                 "l"(from)
                 : "memory");
  }
}

__device__ void load_matrices(std::uint32_t from, std::uint32_t (&to)[4]) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(from)
               : "memory");
}

__device__ void add_product(const std::uint32_t (&a)[4], std::uint32_t b_low, std::uint32_t b_high,
                            std::int32_t (&sums)[4]) {
  asm volatile(
      "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b_low), "r"(b_high));
}

/// The products of a slab. @param rows, columns  of the warp, in shared memory
__device__ void multiply(std::uint32_t rows, std::uint32_t columns, std::uint32_t row,
                         std::uint32_t column,
                         std::int32_t (&sums)[row_products][column_products][4]) {
  const std::uint32_t lane = threadIdx.x % 32;
#pragma unroll
  for (std::uint32_t chunk = 0; chunk < chunks; chunk += 2) {
    std::uint32_t a[row_products][4], b[column_products / 2][4];
#pragma unroll
    for (std::uint32_t r = 0; r < row_products; ++r)
      load_matrices(rows + place(row + r * 16 + lane % 16, chunk + lane / 16), a[r]);
#pragma unroll
    for (std::uint32_t c = 0; c < column_products / 2; ++c) {
      const std::uint32_t item = column + c * 16 + lane % 8 + lane / 16 * 8;
      load_matrices(columns + place(item, chunk + lane / 8 % 2), b[c]);
    }
#pragma unroll
    for (std::uint32_t r = 0; r < row_products; ++r) {
#pragma unroll
      for (std::uint32_t c = 0; c < column_products; ++c)
        add_product(a[r], b[c / 2][c % 2 * 2], b[c / 2][c % 2 * 2 + 1], sums[r][c]);
    }
  }
}

#endif  // else their code is not there

__global__ void __launch_bounds__(threads) bit_product(PairBits bits, PairRectangle rectangle) {
#if __CUDA_ARCH__ >= 800
  extern __shared__ __align__(128) unsigned char staged[];
  const std::uint32_t first_row = blockIdx.y * tile, first_column = blockIdx.x * tile;
  if (rectangle.first_column + first_column >= rectangle.first_row + first_row + tile) return;
  const auto base = static_cast<std::uint32_t>(__cvta_generic_to_shared(staged));
  const std::uint32_t slabs = bits.words / slab_words;
  const auto begin = [&](std::uint32_t slab) {
    const std::uint32_t to = base + slab % stages * 2 * side_bytes;
    if (slab < slabs) {
      fetch(bits.rows, bits.words, first_row, rectangle.rows, slab, to);
      fetch(bits.columns, bits.words, first_column, rectangle.columns, slab, to + side_bytes);
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
  };
  for (std::uint32_t slab = 0; slab + 1 < stages; ++slab) begin(slab);
  const std::uint32_t warp = threadIdx.x / 32;
  const std::uint32_t row = warp / (tile / warp_columns) * warp_rows;
  const std::uint32_t column = warp % (tile / warp_columns) * warp_columns;
  std::int32_t sums[row_products][column_products][4] = {};
  for (std::uint32_t slab = 0; slab < slabs; ++slab) {
    asm volatile("cp.async.wait_group %0;" ::"n"(stages - 2) : "memory");
    __syncthreads();
    begin(slab + stages - 1);
    const std::uint32_t at = base + slab % stages * 2 * side_bytes;
    multiply(at, at + side_bytes, row, column, sums);
  }
  const std::uint32_t lane = threadIdx.x % 32;
#pragma unroll
  for (std::uint32_t r = 0; r < row_products; ++r) {
#pragma unroll
    for (std::uint32_t i = 0; i < 4; ++i) {
      const std::uint32_t at_row = first_row + row + r * 16 + lane / 4 + i / 2 * 8;
      if (at_row >= rectangle.rows) continue;
#pragma unroll
      for (std::uint32_t c = 0; c < column_products; ++c) {
        const std::uint32_t at_column = first_column + column + c * 8 + lane % 4 * 2 + i % 2;
        if (at_column >= rectangle.columns) continue;
        rectangle.counts[at_row * rectangle.stride + at_column] =
            static_cast<std::uint32_t>(sums[r][c][i]);
      }
    }
  }
#endif
}

/// Do the current device's tensor cores multiply bits?
bool multiplies_bits() {
  int device = 0, major = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  return major >= 8;
}

}  // namespace

void launch_bit_product(const PairBits& bits, const PairRectangle& rectangle, cudaStream_t stream) {
  if (rectangle.rows == 0 || rectangle.columns == 0) return;
  if (!multiplies_bits()) return launch_common_bits(bits, rectangle, stream);
  check(cudaFuncSetAttribute(bit_product, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(shared_bytes)));
  const dim3 blocks((rectangle.columns + tile - 1) / tile, (rectangle.rows + tile - 1) / tile);
  bit_product<<<blocks, threads, shared_bytes, stream>>>(bits, rectangle);
  check(cudaGetLastError());
}

}  // namespace atl::cuda
