// How warps share the tiles and groups of a program.
#pragma once

#include <cstdint>

#include "cuda/count_kernel.hpp"
#include "cuda/handles.hpp"
#include "cuda/term_memory.cuh"

namespace atl::cuda {

struct Tasks {
  std::uint64_t rows;
  std::uint32_t groups;
  std::uint32_t terms;  ///< of a warp
  uint4* scratch;       ///< null if they are in shared memory
};

/// Calls work(tile, group, terms) for what is this warp's. Warps of a block have groups of the same
/// tile, as far as there are so many: one reads its planes from memory, the others from the cache.
template <bool in_shared, typename Work>
__device__ __forceinline__ void for_each_task(const Tasks& tasks, const Work& work) {
  extern __shared__ uint4 shared[];
  const std::uint32_t warps = blockDim.x / warp_size;
  const std::uint32_t warp = threadIdx.x / warp_size;
  const std::uint32_t first = blockIdx.x * warps + warp;
  const auto terms = [&] {
    if constexpr (in_shared) {
      return SharedTerms(shared + warp * tasks.terms * tile_units);
    } else {
      return ScratchTerms(tasks.scratch + std::uint64_t{first} * tasks.terms * tile_units);
    }
  }();
  const std::uint64_t count = (tasks.rows + tile_rows - 1) / tile_rows * tasks.groups;
  for (std::uint64_t task = first; task < count; task += gridDim.x * warps) {
    work(static_cast<std::uint32_t>(task / tasks.groups),
         static_cast<std::uint32_t>(task % tasks.groups), terms);
  }
}

template <typename Arguments>
void launch_tasks(void (*kernel)(Arguments), const CountLaunch& plan, const Arguments& arguments,
                  cudaStream_t stream) {
  if (plan.shared_bytes > 48 * 1024) {  // what needs no asking
    check(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                               cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(plan.shared_bytes)));
  }
  kernel<<<plan.blocks, plan.warps * warp_size, plan.shared_bytes, stream>>>(arguments);
  check(cudaGetLastError());
}

}  // namespace atl::cuda
