// Shares the tiles and groups of a program among warps.
#pragma once

#include <cstdint>

#include "cuda/count/count_kernel.hpp"
#include "cuda/count/term_memory.cuh"
#include "cuda/device/handles.hpp"

namespace atl::cuda {

struct Tasks {
  std::uint64_t rows;
  std::uint32_t groups;
  std::uint32_t terms;  ///< of a warp
  uint4* scratch;       ///< null if they are in shared memory
};

/// Calls work(tile, group, terms) for what is this warp's. A block has consecutive tasks, groups of
/// a tile first, and its warps begin each together: one reads the planes from memory, the others
/// find them in the cache. All blocks have as many, so that none waits while others have one more
/// for each warp.
template <bool in_shared, typename Work>
__device__ __forceinline__ void for_each_task(const Tasks& tasks, const Work& work) {
  extern __shared__ uint4 shared[];
  const std::uint32_t warps = blockDim.x / warp_size;
  // A shuffle gives the number, so that the compiler knows all lanes to go the same way.
  const std::uint32_t warp = __shfl_sync(~0U, threadIdx.x / warp_size, 0);
  const auto terms = [&] {
    if constexpr (in_shared) {
      return SharedTerms(shared + warp * tasks.terms * tile_units);
    } else {
      const std::uint64_t before = std::uint64_t{blockIdx.x * warps + warp} * tasks.terms;
      return ScratchTerms(tasks.scratch + before * tile_units);
    }
  }();
  const std::uint64_t count = (tasks.rows + tile_rows - 1) / tile_rows * tasks.groups;
  const std::uint64_t end = count * (blockIdx.x + 1) / gridDim.x;
  for (std::uint64_t round = count * blockIdx.x / gridDim.x; round < end; round += warps) {
    const std::uint64_t task = round + warp;
    if (task < end) {
      work(static_cast<std::uint32_t>(task / tasks.groups),
           static_cast<std::uint32_t>(task % tasks.groups), terms);
    }
    __syncthreads();
  }
}

/// Allows blocks all the shared memory that they may have, for all launches of a kernel, on any
/// thread.
template <typename Arguments>
void allow_shared(void (*kernel)(Arguments), const DeviceLimits& limits) {
  check(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(limits.shared_bytes)));
}

template <typename Arguments>
void launch_tasks(void (*kernel)(Arguments), const CountLaunch& plan, const Arguments& arguments,
                  cudaStream_t stream) {
  kernel<<<plan.blocks, plan.warps * warp_size, plan.shared_bytes, stream>>>(arguments);
  check(cudaGetLastError());
}

}  // namespace atl::cuda
