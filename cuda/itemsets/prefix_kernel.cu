#include "cuda/device/handles.hpp"
#include "cuda/itemsets/device_block.cuh"
#include "cuda/itemsets/prefix_block.hpp"
#include "cuda/itemsets/prefix_kernel.hpp"

namespace atl::cuda {

namespace {

constexpr std::uint32_t threads = block_warps * warp_lanes;
constexpr std::uint32_t blocks_of_processor =
    4;  // with 64 registers a thread, of which two are spilt

__global__ void __launch_bounds__(threads, blocks_of_processor)
    search_prefixes(const __grid_constant__ PrefixLaunch launch) {
  __shared__ PrefixShared shared;
  DeviceBlock block;
  PrefixBlock<DeviceBlock>(launch, shared, block, blockIdx.x).run();
}

}  // namespace

std::uint32_t prefix_blocks() {
  int device = 0, processors = 0, blocks = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, search_prefixes, threads, 0));
  return static_cast<std::uint32_t>(processors) * static_cast<std::uint32_t>(blocks);
}

void launch_prefixes(const PrefixLaunch& launch, std::uint32_t blocks, cudaStream_t stream) {
  search_prefixes<<<blocks, threads, 0, stream>>>(launch);
  check(cudaGetLastError());
}

}  // namespace atl::cuda
