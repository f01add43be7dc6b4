// The kernels of Algorithms 1 to 3, Tang and Wang 2014, mended as
// docs/concepts/published-pipeline.md says.
#pragma once

#include <cstdint>
#include <cuda_runtime_api.h>

namespace atl::cuda {

/// AprioriTables on the device.
struct LevelTables {
  std::uint32_t sets = 0;
  std::uint32_t item_words = 0;  ///< of a row of `items`, which has one more
  std::uint32_t transaction_words = 0;
  std::uint32_t* items = nullptr;
  std::uint32_t* transactions = nullptr;
};

/// Threads of a block, and so words of a row, at most.
inline constexpr std::uint32_t most_level_threads = 1024;
/// Sets of a level at most: blocks of a grid's height.
inline constexpr std::uint32_t most_level_sets = 65535;

// All launches are asynchronous.

/// Launches the join before the improvement: a block for each x and y, of which more than half
/// return at once.
/// @param out  [sets (sets - 1) / 2] overwritten
void launch_square_join(const LevelTables& sets, const LevelTables& out, cudaStream_t stream);
/// Launches the join with the improvement: only blocks that work.
void launch_triangular_join(const LevelTables& sets, const LevelTables& out, cudaStream_t stream);

/// A block for each set, a thread for each word, the sum by halves: as many threads as the next
/// power of two.
void launch_plain_reduction(const LevelTables& sets, cudaStream_t stream);
/// Algorithm 2: a flag says whether the numbers to add are odd in number.
void launch_flagged_reduction(const LevelTables& sets, cudaStream_t stream);

}  // namespace atl::cuda
