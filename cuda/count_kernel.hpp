// The fused path: comparisons, expressions and counts of a batch, whose words stay in registers and
// shared memory.
#pragma once

#include <cstdint>
#include <cuda_runtime_api.h>

namespace atl::cuda {

/// Rows that a warp evaluates at a time: 8 words of each of its 32 threads.
inline constexpr std::uint32_t tile_rows = 8192;
/// Shared memory that a term takes.
inline constexpr std::uint32_t term_bytes = tile_rows / 8;

/// Rows on the device: [planes][words], a plane's words from row to row, zero beyond the last row
/// up to a whole tile.
struct DeviceRows {
  const uint4* planes = nullptr;
  std::uint64_t stride = 0;  ///< units of 16 bytes from one plane to the next
  std::uint32_t rows = 0;
  std::uint64_t first_row = 0;  ///< index in the whole dataset
};

/// What is counted, all on the device and zero before the first launch. Null what is not wanted.
struct DeviceCounters {
  std::uint32_t* rules = nullptr;        ///< [rules][3] antecedent, consequent, both
  std::uint32_t* supports = nullptr;     ///< [comparisons]
  unsigned long long* hashes = nullptr;  ///< [rules][2]
};

/// A warp for each tile and group, tile by tile; adds to the counters. Asynchronous.
/// @param program  [..] of device_program.hpp, on the device
/// @param groups, terms  of the program
void launch_count(const DeviceRows& rows, const std::uint32_t* program, std::uint32_t groups,
                  std::uint32_t terms, const DeviceCounters& counters, cudaStream_t stream);

}  // namespace atl::cuda
