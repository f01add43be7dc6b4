// Grows rules of decision lists on a sample: a block of threads for each rule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>
#include <vector_types.h>

#include "cuda/device/device_layout.hpp"
#include "cuda/host/growth_format.hpp"

namespace atl::cuda {

/// A ClassSample on the device.
struct GrowthRows {
  const unsigned long long* sets = nullptr;  ///< [row sets][words]
  const GrowthAttribute* attributes = nullptr;
  const uint2* literals = nullptr;         ///< [literals] attribute, code
  const std::uint16_t* labels = nullptr;   ///< [words] class of the rows of each
  const std::uint32_t* windows = nullptr;  ///< [windows][classes + 1] first word of each class
  const std::uint32_t* missing = nullptr;  ///< attributes with missing values
  const std::uint32_t* coarse = nullptr;   ///< literals that are looked at first in many rows
  std::uint32_t all = 0;                   ///< row set of all rows
  std::uint32_t words = 0;
  std::uint32_t literal_count = 0;
  std::uint32_t coarse_count = 0;
  std::uint32_t missing_count = 0;
  std::uint32_t classes = 0;
  std::uint32_t most_words = 0;  ///< of a window
};

/// A batch as GrowthProgram lays it out.
struct GrowthBatch {
  const std::byte* tasks = nullptr;
  std::byte* results = nullptr;  ///< pinned
  std::uint32_t count = 0;
  std::uint32_t most_comparisons = 0;  ///< that a rule may have on the way
  // GrowthSettings
  const double* weights = nullptr;  ///< [classes] in a window
  const double* least = nullptr;    ///< [classes] that a rule has to gain there
  const double* costs = nullptr;    ///< [prices][classes] of a comparison
  std::uint32_t longest = 0;        ///< comparisons of a rule
  std::uint32_t steps = 0;
};

struct GrowthLaunch {
  std::uint32_t blocks = 0;
  std::size_t shared_bytes = 0;   ///< of a block
  std::size_t scratch_bytes = 0;  ///< of a block, in device memory; 0 if shared memory is enough
};
/// Lets the kernels take their shared memory. Of the current device, once before the first launch.
void allow_growth(const DeviceLimits& limits);
GrowthLaunch plan_growth(const DeviceLimits& limits, const GrowthRows& rows,
                         const GrowthBatch& batch);

/// Asynchronous.
/// @param scratch  [blocks * scratch_bytes] for this launch alone
void launch_growth(const GrowthLaunch& plan, const GrowthRows& rows, const GrowthBatch& batch,
                   std::byte* scratch, cudaStream_t stream);

}  // namespace atl::cuda
