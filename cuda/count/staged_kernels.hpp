// The stages apart: coverage writes words to device memory, reduction counts them. The fused path
// (count_kernel.hpp) does the same without the memory.
#pragma once

#include <cstdint>
#include <cuda_runtime_api.h>

#include "cuda/count/count_kernel.hpp"
#include "cuda/device/device_layout.hpp"

namespace atl::cuda {

/// Rows that hold, as words that lie as a plane's do; zero beyond the rows up to a whole tile.
struct CoverageWords {
  uint4* sides = nullptr;        ///< [rules][2][words] antecedent, consequent
  uint4* comparisons = nullptr;  ///< [comparisons][words] in the program's order; null: not wanted
  std::uint64_t stride = 0;      ///< units of 16 bytes from one to the next
};

/// Asks for shared memory: once for a device, before the first launch.
void allow_coverage(const DeviceLimits& limits);
/// Evaluates comparisons and expressions. Asynchronous, as launch_reduction.
/// @param plan, scratch  as launch_count() has them
void launch_coverage(const CountLaunch& plan, const DeviceRows& rows,
                     const ProgramOnDevice& program, const CoverageWords& words, uint4* scratch,
                     cudaStream_t stream);

/// Adds what the words say to the counters.
/// @param program  its words
/// @param sets  [rules] places among them of their present sets
void launch_reduction(const DeviceRows& rows, const std::uint32_t* program,
                      const std::uint32_t* sets, std::uint32_t rules, std::uint32_t comparisons,
                      const CoverageWords& words, const DeviceCounters& counters,
                      cudaStream_t stream);

}  // namespace atl::cuda
