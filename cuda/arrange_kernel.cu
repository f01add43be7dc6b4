#include <algorithm>

#include "cuda/arrange_kernel.hpp"
#include "cuda/handles.hpp"
#include "cuda/tile.cuh"

namespace atl::cuda {

namespace {

constexpr std::uint32_t arrange_warps = 8;

__global__ void __launch_bounds__(arrange_warps* warp_size)
    arrange_kernel(const uint4* from, std::uint64_t stage_tiles, std::uint64_t blocks,
                   std::uint32_t planes, uint4* to) {
  const std::uint32_t warp = threadIdx.x / warp_size;
  const std::uint32_t lane = threadIdx.x % warp_size;
  const std::uint64_t step = std::uint64_t{gridDim.x} * arrange_warps;
  // A plane of a tile each.
  for (std::uint64_t b = std::uint64_t{blockIdx.x} * arrange_warps + warp; b < blocks; b += step) {
    ThreadWords words;
    load(from + (b % planes * stage_tiles + b / planes) * tile_units + lane, words);
    store(to + b * tile_units + lane, words);
  }
}

}  // namespace

void launch_arrange(const uint4* from, std::uint64_t stage_tiles, std::uint64_t tiles,
                    std::uint32_t planes, uint4* to, cudaStream_t stream) {
  const std::uint64_t blocks = tiles * planes;
  if (blocks == 0) return;
  constexpr std::uint64_t most_grid = 4096;
  const auto grid =
      static_cast<std::uint32_t>(std::min((blocks + arrange_warps - 1) / arrange_warps, most_grid));
  arrange_kernel<<<grid, arrange_warps * warp_size, 0, stream>>>(from, stage_tiles, blocks, planes,
                                                                 to);
  check(cudaGetLastError());
}

}  // namespace atl::cuda
