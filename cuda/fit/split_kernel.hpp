// Fits groups of one trial each on all rows of a sample, with several blocks for each group.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda/fit/fit_kernel.hpp"

namespace atl::cuda {

struct SplitLaunch {
  std::uint32_t pieces = 0;        ///< of the rows, each for a block
  std::uint32_t groups = 0;        ///< at once
  std::uint32_t codes = 0;         ///< of a group, with room to the next
  std::uint32_t shared_codes = 0;  ///< that a block can count in shared memory
  /// Words of device memory: tickets [groups], then counts [groups][codes][2].
  std::size_t words() const noexcept { return ticket_words() + std::size_t{groups} * codes * 2; }
  /// Counts of a group share no line of memory with anything else.
  std::size_t ticket_words() const noexcept { return (std::size_t{groups} + 31) / 32 * 32; }
};

/// Lets the kernels take their shared memory. Of the current device, once before the first launch.
void allow_splits();
/// @param batch  whole
SplitLaunch plan_split(const DeviceLimits& limits, const FitRows& rows, const FitBatch& batch);

/// Asynchronous.
/// @param sums     [plan.words()] zeros, and zeros again afterwards
/// @param results  [groups] on the device, or pinned
void launch_split(const SplitLaunch& plan, const FitRows& rows, const FitBatch& batch,
                  std::uint32_t* sums, FitResult* results, cudaStream_t stream);

}  // namespace atl::cuda
