#include <algorithm>

#include "cuda/device/handles.hpp"
#include "cuda/rule_sets/growth_block.cuh"
#include "cuda/rule_sets/growth_kernel.hpp"

namespace atl::cuda {
namespace {

/// Bytes of device memory for all blocks, unless one needs more.
constexpr std::size_t most_scratch = std::size_t{1} << 28;
constexpr std::uint32_t blocks_of_processor = 2;

struct Arguments {
  GrowthRows rows;
  GrowthBatch batch;
  std::byte* scratch;
  std::size_t scratch_bytes;
};

/// Writes the result, by all threads; the state belongs to the next task afterwards.
__device__ void write_result(const GrowthMemory& memory, bool grown, std::byte* to) {
  const std::uint32_t comparisons = grown ? memory.state.best : 0;
  auto* const result = reinterpret_cast<GrowthResult*>(to);
  auto* const out = reinterpret_cast<GrowthComparison*>(result + 1);
  if (threadIdx.x == 0) *result = {memory.state.label, comparisons, {0, 0}};
  for (std::uint32_t i = threadIdx.x; i < comparisons; i += growth_threads) {
    out[i] = memory.best[i];
  }
  __syncthreads();
}

template <bool in_shared>
__global__ void __launch_bounds__(growth_threads, blocks_of_processor)
    growth_kernel(const __grid_constant__ Arguments arguments) {
  extern __shared__ __align__(16) std::byte shared[];
  const GrowthRows& rows = arguments.rows;
  const GrowthBatch& batch = arguments.batch;
  const GrowthLayout layout(rows, batch);
  std::byte* const scratch = in_shared ? shared + layout.shared_end
                                       : arguments.scratch + blockIdx.x * arguments.scratch_bytes;
  const GrowthMemory memory(layout, shared, scratch, rows);
  const std::size_t result_bytes =
      sizeof(GrowthResult) + batch.most_comparisons * sizeof(GrowthComparison);
  for (std::uint32_t t = blockIdx.x; t < batch.count; t += gridDim.x) {
    const std::uint32_t offset = reinterpret_cast<const std::uint32_t*>(batch.tasks)[t];
    const auto& task = *reinterpret_cast<const GrowthHead*>(batch.tasks + offset);
    const bool grown = GrowthBlock(rows, batch, memory, task).grow();
    write_result(memory, grown, batch.results + t * result_bytes);
  }
}

}  // namespace

GrowthLaunch plan_growth(const DeviceLimits& limits, const GrowthRows& rows,
                         const GrowthBatch& batch) {
  const GrowthLayout layout(rows, batch);
  GrowthLaunch plan;
  plan.blocks = batch.count;
  plan.shared_bytes = layout.shared_end + layout.scratch_bytes;
  if (plan.shared_bytes <= limits.shared_bytes) return plan;
  plan.shared_bytes = layout.shared_end;
  plan.scratch_bytes = layout.scratch_bytes;
  plan.blocks = static_cast<std::uint32_t>(std::min<std::size_t>(
      {batch.count, std::max<std::size_t>(most_scratch / plan.scratch_bytes, 1),
       std::size_t{limits.processors} * blocks_of_processor}));
  return plan;
}

void allow_growth(const DeviceLimits& limits) {
  for (const void* kernel : {reinterpret_cast<const void*>(growth_kernel<true>),
                             reinterpret_cast<const void*>(growth_kernel<false>)}) {
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(limits.shared_bytes)));
  }
}

void launch_growth(const GrowthLaunch& plan, const GrowthRows& rows, const GrowthBatch& batch,
                   std::byte* scratch, cudaStream_t stream) {
  if (batch.count == 0) return;
  const Arguments arguments{rows, batch, scratch, plan.scratch_bytes};
  const auto kernel = plan.scratch_bytes == 0 ? growth_kernel<true> : growth_kernel<false>;
  kernel<<<plan.blocks, growth_threads, plan.shared_bytes, stream>>>(arguments);
  check(cudaGetLastError());
}

}  // namespace atl::cuda
