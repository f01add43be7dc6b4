// Layout of rows and counts in device memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector_types.h>

namespace atl::cuda {

/// Rows that a warp evaluates at a time: 8 words of each of its 32 threads.
inline constexpr std::uint32_t tile_rows = 8192;
/// Bytes that a plane, or a term, of a tile takes.
inline constexpr std::uint32_t tile_bytes = tile_rows / 8;
/// The same in units of 16 bytes.
inline constexpr std::uint32_t tile_units = tile_bytes / 16;

/// Consecutive rows, zero beyond the last one up to a whole tile. A tile's planes lie one behind
/// the other, so that all that a pass loads is near one address.
struct DeviceRows {
  const uint4* planes = nullptr;  ///< [tiles][tile_planes][words of a tile], from row to row
  std::uint32_t tile_planes = 0;
  std::uint64_t rows = 0;
  std::uint64_t first_row = 0;  ///< index in the whole dataset
  std::uint64_t stride = 0;     ///< units of 16 bytes that all tiles of one plane take
  /// [target_planes][stride] of the levels of a numeric target.
  const uint4* target = nullptr;
  std::uint32_t target_planes = 0;
};

/// The counters, zero before the first launch. Those not wanted are null.
struct DeviceCounters {
  unsigned long long* rules = nullptr;     ///< [rules][3] antecedent, consequent, both
  unsigned long long* supports = nullptr;  ///< [comparisons] in the program's order
  unsigned long long* hashes = nullptr;    ///< [rules][2]
  unsigned long long* sums = nullptr;      ///< [rules] of the target's levels on the rows of both
  /// [rules][2] Sums over the squares of the levels: first of their lower target_planes bits, then
  /// of their remaining upper bits.
  unsigned long long* squares = nullptr;
};

struct DeviceLimits {
  std::uint32_t processors = 0;
  std::uint32_t shared_bytes = 0;  ///< that a block may have
};
/// Limits of the current device.
DeviceLimits device_limits();

}  // namespace atl::cuda
