// Supports of candidates by AND and popcount over bit columns. Every block has work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>

namespace atl::cuda {

/// The columns of items on the device. Bits of columns behind the last transaction are 0.
struct AprioriColumns {
  const uint4* units = nullptr;  ///< [items][stride], 128 transactions each
  std::uint32_t stride = 0;      ///< units of a column, a multiple of 4, above 0
  std::uint32_t items = 0;
};

/// The last two items of a candidate.
struct AprioriPair {
  std::uint32_t rare, frequent;
};

/// Candidates that have all items but the last two in common; the work of a block.
struct AprioriTask {
  std::uint32_t prefix;      ///< where these items begin
  std::uint32_t first, end;  ///< of the pairs
};

// All launches are asynchronous.

/// Counts all pairs of items of which the rarer has a number from first to last - 1, in tiles of
/// pairs that a triangle of blocks covers.
/// @param supports  [triangle_start(last) - triangle_start(first)] to which is added
void launch_pair_supports(const AprioriColumns& columns, std::uint32_t first, std::uint32_t last,
                          std::uint32_t* supports, cudaStream_t stream);

/// @param prefixes  items, of each task `prefix_length` from its `prefix` on; at least 1
/// @param supports  [pairs] overwritten
void launch_candidate_supports(const AprioriColumns& columns, const AprioriTask* tasks,
                               std::uint32_t count, const std::uint32_t* prefixes,
                               std::uint32_t prefix_length, const AprioriPair* pairs,
                               std::uint32_t* supports, cudaStream_t stream);

}  // namespace atl::cuda
