// Tiles from planes, on the device.
#pragma once

#include <cstdint>
#include <cuda_runtime_api.h>
#include <vector_types.h>

namespace atl::cuda {

/// @param from  [planes][stage_tiles][words of a tile]
/// @param tiles  of them, from the first on
/// @param to  [tiles][planes][words of a tile]
void launch_arrange(const uint4* from, std::uint64_t stage_tiles, std::uint64_t tiles,
                    std::uint32_t planes, uint4* to, cudaStream_t stream);

}  // namespace atl::cuda
