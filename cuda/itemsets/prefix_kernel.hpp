#pragma once

#include <cstdint>
#include <cuda_runtime_api.h>

#include "cuda/host/prefix_format.hpp"

namespace atl::cuda {

/// Blocks that run at the same time on the current device.
std::uint32_t prefix_blocks();

/// Searches below all tasks of the launch. Asynchronous.
void launch_prefixes(const PrefixLaunch& launch, std::uint32_t blocks, cudaStream_t stream);

}  // namespace atl::cuda
