// The fused path: comparisons, expressions and counts of a batch, whose words stay in registers and
// shared memory.
#pragma once

#include <cstdint>
#include <cuda_runtime_api.h>

#include "cuda/device/device_layout.hpp"

namespace atl::cuda {

/// Of a block, which has a processor to itself; more would have too few registers.
inline constexpr std::uint32_t most_warps = 16;

/// Of device_program.hpp.
struct ProgramOnDevice {
  const std::uint32_t* words = nullptr;
  std::uint32_t groups = 0;
  std::uint32_t terms = 0;  ///< most terms and slots of a group
};

/// How many warps evaluate a program, and where they keep their terms.
struct CountLaunch {
  std::uint32_t blocks = 0;
  std::uint32_t warps = 0;              ///< of a block
  std::uint32_t shared_bytes = 0;       ///< of a block; 0: the terms of a warp do not fit
  std::uint32_t most_shared_bytes = 0;  ///< that a block may have
  std::size_t scratch_bytes = 0;        ///< of device memory for all terms, in that case
};
/// @param terms  of the program
CountLaunch plan_count(const DeviceLimits& limits, std::uint64_t rows, std::uint32_t groups,
                       std::uint32_t terms);

/// Each tile and group by one warp, tile by tile; adds to the counters. Asynchronous.
/// @param scratch  null if the plan needs none
void launch_count(const CountLaunch& plan, const DeviceRows& rows, const ProgramOnDevice& program,
                  const DeviceCounters& counters, uint4* scratch, cudaStream_t stream);

}  // namespace atl::cuda
