// The fused path: comparisons, expressions and counts of a batch, whose words stay in registers and
// shared memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>

#include "cuda/device/device_layout.hpp"

namespace atl::cuda {

/// Most warps of a block, which has a processor to itself; more would have too few registers.
inline constexpr std::uint32_t most_warps = 16;

/// A program of device_program.hpp, on the device.
struct ProgramOnDevice {
  const std::uint32_t* words = nullptr;
  std::uint32_t groups = 0;
  std::uint32_t terms = 0;  ///< most terms and slots of a group
};

/// A program, and where what it says is counted.
struct CountedProgram {
  ProgramOnDevice program;
  DeviceCounters counters;
};
/// Most programs that are evaluated together.
inline constexpr std::size_t most_together = 16;

/// The number of warps that evaluate programs, and the place of their terms.
struct CountLaunch {
  std::uint32_t blocks = 0;
  std::uint32_t warps = 0;         ///< of a block
  std::uint32_t shared_bytes = 0;  ///< of a block; 0: the terms of a warp do not fit
  std::size_t scratch_bytes = 0;   ///< of device memory for all terms, in that case
};
/// @param groups  of all programs
/// @param terms  most of a program
CountLaunch plan_count(const DeviceLimits& limits, std::uint64_t rows, std::uint32_t groups,
                       std::uint32_t terms);

/// Asks for the shared memory that blocks may have: once for a device, before the first launch.
void allow_counts(const DeviceLimits& limits);
/// Each tile and group by one warp, tile by tile, all programs' groups of a tile one after the
/// other; adds to the counters. Asynchronous.
/// @param programs  [count] one to most_together
/// @param scratch  null if the plan needs none
void launch_count(const CountLaunch& plan, const DeviceRows& rows, const CountedProgram* programs,
                  std::size_t count, uint4* scratch, cudaStream_t stream);

}  // namespace atl::cuda
