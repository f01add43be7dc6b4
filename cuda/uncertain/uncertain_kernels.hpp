// Sums and tails of the covers of sets of items. All launches are asynchronous.
#pragma once

#include <cstdint>
#include <cuda_runtime_api.h>

#include "cuda/host/tail_format.hpp"

namespace atl::cuda {

/// Columns of bits on the device; bits behind the last transaction are 0.
struct DeviceColumns {
  const std::uint64_t* bits = nullptr;  ///< [items][words]
  std::uint32_t words = 0;              ///< of a column, a multiple of 8
  std::uint32_t certain_word = 0;       ///< where certain transactions begin, a multiple of 8
  const ulonglong2* fixed = nullptr;    ///< [certain_word * 64] FixedSum::fixed of p and p (1 - p)
  const double* probabilities = nullptr;  ///< [certain_word * 64] p
};

/// Sets of items on the device.
struct DeviceSets {
  const std::uint32_t* ranks = nullptr;  ///< [sets][length]
  std::uint32_t length = 1;
};

/// Sets that have all items but the last in common; the work of a block.
inline constexpr std::uint32_t most_sets_of_task = 8;
struct SumTask {
  std::uint32_t first;
  std::uint32_t sets;  ///< 1 to most_sets_of_task
};

/// CoverSums on the device. A sum of fixed values is low + high * 2^24.
struct DeviceSums {
  unsigned long long mean_low, mean_high;
  unsigned long long variance_low, variance_high;
  unsigned long long hash_low, hash_high;
  std::uint32_t rows, certain;
};

/// @param sums  [sets] overwritten
void launch_sums(const DeviceColumns& columns, const DeviceSets& sets, const SumTask* tasks,
                 std::uint32_t count, DeviceSums* sums, cudaStream_t stream);

/// Counts the uncertain rows of covers, and finds the word with which each tile begins.
/// @param rows    [count]
/// @param starts  [count][stride] of tiles that follow another one; the stride is above any cover's
///                number of rows divided by tile_row_step
void launch_tile_starts(const DeviceColumns& columns, const DeviceSets& sets, std::uint32_t count,
                        std::uint32_t* rows, std::uint32_t* starts, std::uint32_t stride,
                        cudaStream_t stream);

/// The distribution of a number of rows: probabilities of the counts from low on.
struct TailNode {
  double mean, variance;
  std::int32_t low, width;
};
/// Distributions of one level of the trees.
struct TailNodes {
  TailNode* nodes = nullptr;
  double* values = nullptr;  ///< [nodes][stride]
  std::uint32_t stride = 0;  ///< at least the width of any
};

/// The covers of a launch and their tiles.
struct TileCovers {
  const std::uint32_t* rows;    ///< [covers]
  const std::uint32_t* starts;  ///< [covers][stride]
  std::uint32_t stride;
};
/// Strides of the levels within a tile, odd so that neighbours lie in other banks.
struct TileStrides {
  std::uint32_t of_level[tile_levels];
};

/// Computes the distributions of tiles. @param out  [count]
void launch_tiles(const DeviceColumns& columns, const DeviceSets& sets, const TileCovers& covers,
                  const TailTile* tiles, std::uint32_t count, const TileStrides& strides,
                  double exponent, const TailNodes& out, cudaStream_t stream);

/// Convolves the nodes of a level. @param out  [count], of the next level
void launch_joins(const TailNodes& in, const TailJoin* joins, std::uint32_t count, double exponent,
                  const TailNodes& out, cudaStream_t stream);

/// Computes tails from covers' last nodes, of which it overwrites values.
/// @param least, tails  [covers]
void launch_tails(const TailNodes& in, const TailEnd* ends, std::uint32_t count,
                  const std::uint32_t* least, double* tails, cudaStream_t stream);

}  // namespace atl::cuda
