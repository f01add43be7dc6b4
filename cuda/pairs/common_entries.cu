#include "cuda/device/handles.hpp"
#include "cuda/pairs/pair_kernels.hpp"
#include "cuda/pairs/pair_tiles.cuh"

namespace atl::cuda {
namespace {

constexpr std::uint32_t codes = 0x7F7F7F7F, indicators = 0x80808080;

/// A piece of each of the tile's maps, its codes apart from its indicators: so that what is left of
/// the indicators needs no mask.
struct Stage {
  alignas(16) std::uint32_t codes[map_piece_words][staged_items];
  alignas(16) std::uint32_t indicators[map_piece_words][staged_items];
};

/// The widest of a tile's maps has so many pieces.
__device__ std::uint32_t most_pieces(const DeviceBatMaps& maps, std::uint32_t first,
                                     std::uint32_t items) {
  std::uint32_t most = 0;
  for (std::uint32_t i = 0; i < pair_tile && i < items; ++i)
    most = max(most, maps.pieces[first + i]);
  return most;
}

/// @param piece  counted on beyond the end of small maps, which begin anew
__device__ void stage(const DeviceBatMaps& maps, std::uint32_t first, std::uint32_t items,
                      std::uint32_t piece, Stage& to) {
  for (std::uint32_t i = threadIdx.x; i < pair_tile * map_piece_words; i += pair_threads) {
    const std::uint32_t at = i / map_piece_words, word = i % map_piece_words;
    const std::uint32_t item = first + min(at, items - 1);
    const std::uint32_t own = piece & (maps.pieces[item] - 1);
    const std::uint32_t entries = maps.words[maps.first[item] + own * map_piece_words + word];
    to.codes[word][at] = entries & codes;
    to.indicators[word][at] = entries & indicators;
  }
}

/// 128 times the entries of a piece that count, of 4 x 4 pairs.
__device__ void add_piece(const Stage& rows, const Stage& columns, std::uint32_t row,
                          std::uint32_t column, std::uint32_t (&sums)[4][4]) {
#pragma unroll 4
  for (std::uint32_t w = 0; w < map_piece_words; ++w) {
    std::uint32_t row_codes[4], row_marks[4], column_codes[4], column_marks[4];
    take_four(&rows.codes[w][row], row_codes);
    take_four(&rows.indicators[w][row], row_marks);
    take_four(&columns.codes[w][column], column_codes);
    take_four(&columns.indicators[w][column], column_marks);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const std::uint32_t differ = (row_codes[i] ^ column_codes[j]) + codes;
        const std::uint32_t counts = (row_marks[i] | column_marks[j]) & ~differ;
        sums[i][j] = __dp4a(counts, 0x01010101U, sums[i][j]);
      }
    }
  }
}

__global__ void __launch_bounds__(pair_threads)
    common_entries(DeviceBatMaps maps, PairRectangle rectangle) {
  extern __shared__ __align__(16) unsigned char memory[];
  Stage& row_words = reinterpret_cast<Stage*>(memory)[0];
  Stage& column_words = reinterpret_cast<Stage*>(memory)[1];
  const std::uint32_t first_row = rectangle.first_row + blockIdx.y * pair_tile;
  const std::uint32_t first_column = rectangle.first_column + blockIdx.x * pair_tile;
  if (first_column >= first_row + pair_tile) return;
  const std::uint32_t rows = rectangle.rows - blockIdx.y * pair_tile;
  const std::uint32_t columns = rectangle.columns - blockIdx.x * pair_tile;
  const std::uint32_t row = threadIdx.x / 16 * 4, column = threadIdx.x % 16 * 4;
  std::uint32_t pieces_of_row[4], pieces_of_column[4];
  for (std::uint32_t i = 0; i < 4; ++i) {
    pieces_of_row[i] = maps.pieces[first_row + min(row + i, rows - 1)];
    pieces_of_column[i] = maps.pieces[first_column + min(column + i, columns - 1)];
  }
  const std::uint32_t pieces =
      max(most_pieces(maps, first_row, rows), most_pieces(maps, first_column, columns));
  std::uint32_t sums[4][4] = {};
  for (std::uint32_t piece = 0; piece < pieces; ++piece) {
    __syncthreads();
    stage(maps, first_row, rows, piece, row_words);
    stage(maps, first_column, columns, piece, column_words);
    __syncthreads();
    std::uint32_t here[4][4] = {};
    add_piece(row_words, column_words, row, column, here);
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) {
        if (piece < max(pieces_of_row[i], pieces_of_column[j])) sums[i][j] += here[i][j] / 128;
      }
    }
  }
  for (std::uint32_t i = 0; i < 4 && row + i < rows; ++i) {
    for (std::uint32_t j = 0; j < 4 && column + j < columns; ++j) {
      rectangle.counts[(blockIdx.y * pair_tile + row + i) * rectangle.stride +
                       blockIdx.x * pair_tile + column + j] = sums[i][j];
    }
  }
}

}  // namespace

void launch_common_entries(const DeviceBatMaps& maps, const PairRectangle& rectangle,
                           cudaStream_t stream) {
  if (rectangle.rows == 0 || rectangle.columns == 0) return;
  constexpr std::size_t bytes = 2 * sizeof(Stage);
  check(cudaFuncSetAttribute(common_entries, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(bytes)));
  const dim3 blocks((rectangle.columns + pair_tile - 1) / pair_tile,
                    (rectangle.rows + pair_tile - 1) / pair_tile);
  common_entries<<<blocks, pair_threads, bytes, stream>>>(maps, rectangle);
  check(cudaGetLastError());
}

}  // namespace atl::cuda
