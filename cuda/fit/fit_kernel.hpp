// Fits groups of trials on the rows of a sample.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>
#include <vector_types.h>

#include "cuda/device/device_layout.hpp"
#include "cuda/host/fit_format.hpp"

namespace atl::cuda {

/// A sample on the device, padded to a multiple of fit_step_rows.
struct FitRows {
  const std::byte* codes = nullptr;       ///< columns of one or two bytes a code (FitColumn)
  const std::uint32_t* planes = nullptr;  ///< [plane][plane_words] bit r % 32 of word r / 32
  std::uint32_t rows = 0;
  std::uint32_t plane_words = 0;
};

/// A batch as FitProgram lays it out.
struct FitBatch {
  /// These are on the device; or pinned, if no group has more than most_read_words.
  const std::uint32_t* words = nullptr;
  std::uint32_t groups = 0;
  std::uint32_t most_codes = 0;  ///< of a trial's attribute
  bool wide = false;             ///< gains need more than 64 bits
  bool whole = false;            ///< each group is one trial, on all rows of the sample
};

struct FitLaunch {
  std::uint32_t blocks = 0;
  std::uint32_t shared_codes = 0;   ///< that a warp can count in shared memory
  std::uint32_t scratch_codes = 0;  ///< likewise in device memory; 0 if shared memory is enough
  /// Bytes to be allocated; a launch of fewer blocks takes as much less.
  std::size_t scratch_bytes = 0;
};
/// Lets the kernels take their shared memory. Of the current device, once before the first launch.
void allow_fits();
FitLaunch plan_fits(const DeviceLimits& limits, const FitBatch& batch);

/// A block for each group in turn. Asynchronous.
/// @param scratch  [scratch_bytes] for this launch alone
/// @param results  [groups] on the device, or pinned
void launch_fits(const FitLaunch& plan, const FitRows& rows, const FitBatch& batch, uint2* scratch,
                 FitResult* results, cudaStream_t stream);

/// Splits codes into planes. Asynchronous.
/// @param codes  [plane_words * 32] of one or two bytes
/// @param out    [planes][plane_words]
void launch_planes(const std::byte* codes, bool two_bytes, std::uint32_t plane_words,
                   std::uint32_t planes, std::uint32_t* out, cudaStream_t stream);

}  // namespace atl::cuda
